import { useState, type FormEvent } from 'react'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EventTypeChoice } from './event-type-choice.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { testInboxUrl } from './test-inbox.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = texts.webhooks
const targets = ['server', 'inbox'] as const
type Target = (typeof targets)[number]

/** Subscribes a URL to types of events; their signing secret is shown once. */
export function NewWebhook({ onDone }: { onDone: () => void }) {
  const types = useOperation('event_types.list', {})
  const create = useCommand('event_subscriptions.create_many', ['event_subscriptions.list'])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [target, setTarget] = useState<Target>('server')
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  if (create.data)
    return (
      <Section title={words.created(create.data.subscriptions.length)}>
        <SigningSecret secret={create.data.secret} onDone={onDone} />
      </Section>
    )
  const endpoint_url = target === 'inbox' ? testInboxUrl : url.trim()
  const isComplete = chosen.length > 0 && endpoint_url !== ''
  const input = { event_types: [...chosen], endpoint_url, description: description.trim() || null }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) create.mutate(input)
  }
  return (
    <Section title={words.new}>
      <form className={layout['stack12']} onSubmit={submit}>
        <Segments
          label={words.target}
          choices={targets.map((value) => ({ value, label: words.targets[value] }))}
          value={target}
          onChange={setTarget}
        />
        {target === 'inbox' ? (
          <p className={typography['muted']}>{words.inboxHelp}</p>
        ) : (
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
        )}
        <QueryView query={types} rows={4}>
          {({ event_types }) => <EventTypeChoice types={event_types} chosen={chosen} onChange={setChosen} />}
        </QueryView>
        <TextField label={words.description} value={description} onChange={setDescription} maxLength={500} />
        <div className={layout['row']}>
          <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
            {words.create}
          </Button>
          <Button onClick={onDone}>{texts.ui.cancel}</Button>
          {isComplete && <CopyCall operation="event_subscriptions.create_many" input={input} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}
