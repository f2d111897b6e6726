import { useState } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './build.module.css'

const usual: ReadonlySet<string> = new Set(['catalog:read', 'items:read', 'orders:read', 'tiles:read'])

/** Makes a key; its secret is shown once. */
export function NewKey({ onDone }: { onDone: () => void }) {
  const principal = usePrincipal()
  const create = useCommand('api_keys.create', ['api_keys.list'])
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [cap, setCap] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(usual)
  if (create.data)
    return (
      <Section title={create.data.name}>
        <p role="status">{texts.build.secret}</p>
        <Identifier id={create.data.key} />
        <div className={styles['row']}>
          <CopyButton label={texts.build.copyKey} text={create.data.key} />
          <Button onClick={onDone}>{texts.build.done}</Button>
        </div>
      </Section>
    )
  const scopes = principal.data?.scopes ?? [...usual]
  return (
    <Section title={texts.build.newKey}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({
            name: name.trim(),
            permissions: [...chosen],
            expires_in_days: Number(days),
            spend_cap_credits: cap === '' ? null : Number(cap),
          })
        }}
      >
        <TextField label={texts.build.name} value={name} onChange={setName} required />
        <SelectField
          label={texts.build.expires}
          value={days}
          onChange={setDays}
          choices={Object.entries(texts.build.days).map(([value, label]) => ({ value, label }))}
        />
        <TextField
          label={texts.build.cap}
          inputMode="numeric"
          value={cap}
          onChange={(text) => setCap(text.replaceAll(/\D/g, ''))}
        />
        <fieldset className={styles['scopes']}>
          <legend>{texts.build.scopes}</legend>
          {scopes.map((scope) => (
            <CheckboxField
              key={scope}
              label={scope}
              checked={chosen.has(scope)}
              onChange={() => setChosen((before) => new Set(before).symmetricDifference(new Set([scope])))}
            />
          ))}
        </fieldset>
        <div className={styles['row']}>
          <Button type="submit" kind="primary" isPending={create.isPending}>
            {texts.build.create}
          </Button>
          <Button onClick={onDone}>{texts.ui.cancel}</Button>
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}
