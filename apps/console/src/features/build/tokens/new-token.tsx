import { useState, type FormEvent } from 'react'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { buildTexts } from '../../../texts/build.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { Button } from '../../../ui/button.tsx'
import { CallSamples } from '../../../ui/calls/call-samples.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { SecretOnce } from '../../../credentials/secret-once.tsx'
import { firstCall } from '../first-call.ts'
import { AccessFields } from '../scopes/access-fields.tsx'
import { isAccessComplete, toScopes, type AccessDraft } from '../scopes/access.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = credentialsTexts.tokens
const defaultDays = '90'
const fieldNames = new Set(['name', 'scopes', 'expires_in_days'])

/** Makes an access token of this person; its text is shown once. */
export function NewToken({ onDone }: { readonly onDone: () => void }) {
  const create = useCommand('users.tokens.create', ['users.tokens.list'])
  const [name, setName] = useState('')
  const [days, setDays] = useState(defaultDays)
  const [draft, setDraft] = useState<AccessDraft>({ access: 'read', scopes: [] })
  if (create.data)
    return (
      <Section title={create.data.name}>
        <SecretOnce
          text={words.secret}
          secret={create.data.token}
          copyLabel={words.copy}
          doneLabel={credentialsTexts.done}
          onDone={onDone}
        >
          <p className={typography['muted']}>{words.usage}</p>
          <CallSamples {...firstCall} secret={create.data.token} />
        </SecretOnce>
      </Section>
    )
  const isComplete = name.trim() !== '' && isAccessComplete(draft)
  const input = { name: name.trim(), scopes: toScopes(draft), expires_in_days: Number(days) }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) create.mutate(input)
  }
  const refused = readRefusedFields(create.error, null, fieldNames)
  return (
    <Section title={words.new}>
      <p className={typography['muted']}>{words.newHelp}</p>
      <form className={layout['stack12']} onSubmit={submit}>
        <TextField
          label={buildTexts.name}
          value={name}
          onChange={setName}
          required
          autoFocus
          maxLength={200}
          error={refused['name'] ?? null}
        />
        <AccessFields draft={draft} onChange={setDraft} hasPrivileged error={refused['scopes']} />
        <SelectField
          label={buildTexts.expires}
          value={days}
          onChange={setDays}
          choices={Object.entries(words.days).map(([value, label]) => ({ value, label }))}
          error={refused['expires_in_days'] ?? null}
        />
        <div className={layout['wrap']}>
          <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
            {words.create}
          </Button>
          <Button onClick={onDone}>{uiTexts.cancel}</Button>
          {isComplete && <CopyCall operation="users.tokens.create" input={input} />}
        </div>
        {create.isError && Object.keys(refused).length === 0 && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}
