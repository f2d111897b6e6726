import { useState, type FormEvent } from 'react'
import type { ApiKey } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { buildTexts } from '../../texts/build.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CallSamples } from '../../ui/calls/call-samples.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DigitsField, SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { SecretOnce } from '../../credentials/secret-once.tsx'
import { firstCall } from './first-call.ts'
import { accessFlags, accessOf } from './permissions.ts'
import { AccessFields } from './scopes/access-fields.tsx'
import { isAccessComplete, type AccessDraft } from './scopes/access.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const usualDays = '90'

const toChoices = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export interface NewKeyProps {
  /** The key whose name, access and limit the new one takes over. */
  readonly replaced: ApiKey | null
  readonly onDone: () => void
}

/** Makes a key; its secret is shown once. */
export function NewKey({ replaced, onDone }: NewKeyProps) {
  const create = useCommand('api_keys.create', ['api_keys.list'])
  const [name, setName] = useState(replaced?.name ?? '')
  const [days, setDays] = useState(usualDays)
  const [cap, setCap] = useState(String(replaced?.spend_cap_credits ?? ''))
  const [draft, setDraft] = useState<AccessDraft>({
    access: replaced ? accessOf(replaced.permissions) : 'read',
    scopes: replaced?.permissions.filter((permission) => permission.includes(':')) ?? [],
  })
  if (create.data)
    return <Secret name={create.data.name} secret={create.data.key} replaced={replaced} onDone={onDone} />
  const isComplete = name.trim() !== '' && isAccessComplete(draft)
  const input = {
    name: name.trim(),
    permissions: [...(draft.access === 'chosen' ? draft.scopes : accessFlags[draft.access])],
    expires_in_days: days === 'never' ? null : Number(days),
    spend_cap_credits: cap === '' ? null : Number(cap),
    rate_limit: replaced?.rate_limit ?? null,
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isComplete) return
    create.mutate(input)
  }
  return (
    <Section title={replaced ? buildTexts.rotateNamed(replaced.name) : buildTexts.newKey}>
      {replaced && <p className={typography['muted']}>{buildTexts.rotateHelp}</p>}
      <form className={layout['stack12']} onSubmit={submit}>
        <TextField label={buildTexts.name} value={name} onChange={setName} required maxLength={255} />
        <AccessFields draft={draft} onChange={setDraft} />
        <SelectField label={buildTexts.expires} value={days} onChange={setDays} choices={toChoices(buildTexts.days)} />
        <DigitsField label={buildTexts.cap} value={cap} onChange={setCap} />
        <div className={layout['wrap']}>
          <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
            {buildTexts.create}
          </Button>
          <Button onClick={onDone}>{uiTexts.cancel}</Button>
          {isComplete && <CopyCall operation="api_keys.create" input={input} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}

interface SecretProps extends NewKeyProps {
  readonly name: string
  readonly secret: string
}

function Secret({ name, secret, replaced, onDone }: SecretProps) {
  return (
    <Section title={name}>
      <SecretOnce
        text={buildTexts.secret}
        secret={secret}
        copyLabel={buildTexts.copyKey}
        doneLabel={buildTexts.done}
        onDone={onDone}
      >
        {replaced ? <p>{buildTexts.rotated}</p> : <CallSamples {...firstCall} secret={secret} />}
      </SecretOnce>
    </Section>
  )
}
