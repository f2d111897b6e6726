import { useState, type FormEvent } from 'react'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { SigningSecret } from './signing-secret.tsx'
import styles from './webhooks.module.css'

const words = texts.webhooks

/** Subscribes a URL to a type of events; the signing secret is shown once. */
export function NewWebhook({ onDone }: { onDone: () => void }) {
  const types = useOperation('event_types.list', {})
  const create = useCommand('event_subscriptions.create', ['event_subscriptions.list'])
  const [type, setType] = useState('')
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  if (create.data)
    return (
      <Section title={create.data.event_type}>
        <SigningSecret secret={create.data.secret} onDone={onDone} />
      </Section>
    )
  const isComplete = type !== '' && url.trim() !== ''
  const input = { event_type: type, endpoint_url: url.trim(), description: description.trim() || null }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) create.mutate(input)
  }
  return (
    <Section title={words.new}>
      <form className={styles['form']} onSubmit={submit}>
        <SelectField
          label={words.type}
          value={type}
          onChange={setType}
          required
          choices={[
            { value: '', label: words.chooseType },
            ...(types.data?.event_types ?? []).map(({ event_type }) => ({ value: event_type, label: event_type })),
          ]}
        />
        <TextField
          label={words.url}
          type="url"
          inputMode="url"
          placeholder="https://"
          help={words.urlHelp}
          required
          value={url}
          onChange={setUrl}
        />
        <TextField label={words.description} value={description} onChange={setDescription} maxLength={500} />
        <div className={styles['row']}>
          <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
            {words.create}
          </Button>
          <Button onClick={onDone}>{texts.ui.cancel}</Button>
          {isComplete && <CopyCall operation="event_subscriptions.create" input={input} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
        {types.isError && <ProblemNote error={types.error} onRetry={() => void types.refetch()} isRead />}
      </form>
    </Section>
  )
}
