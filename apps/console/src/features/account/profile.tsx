import { useState, type FormEvent } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { usePrincipal } from '../../api/use-principal.ts'
import { useCommand } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Section } from '../../ui/screen.tsx'
import { AccountScreen } from './account-screen.tsx'
import { ConfirmationFields, ConfirmedForm, useConfirmation } from './confirmation.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts

/** Name, e-mails, address, and the end of an account. */
export function Profile() {
  const user = usePrincipal().data?.user
  return (
    <AccountScreen actions={<CopyCall operation="users.me" input={{}} />}>
      {user && <NameForm key={user.id} user={user} />}
      {user && <EmailForm email={user.email} />}
      <Export />
      {user && <DeleteAccount email={user.email} />}
    </AccountScreen>
  )
}

type Language = keyof typeof words.languages

type User = NonNullable<OutputOf<'users.me'>['user']>

/** The time zones of the browser, and the one that is kept, which it may know by another name. */
const listTimeZones = (kept: string): readonly string[] => [...new Set([kept, ...Intl.supportedValuesOf('timeZone')])]

function NameForm({ user }: { user: User }) {
  const update = useCommand('users.update', ['users.me'])
  const [name, setName] = useState(user.name ?? '')
  const [language, setLanguage] = useState<Language>(user.language)
  const [time_zone, setTimeZone] = useState(user.time_zone)
  const input = { name: name.trim() === '' ? null : name.trim(), language, time_zone }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    update.mutate(input)
  }
  return (
    <Section title={words.profile}>
      <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
        <TextField label={words.name} autoComplete="name" maxLength={255} value={name} onChange={setName} />
        <div className={layout['fields']}>
          <SelectField
            label={words.language}
            value={language}
            onChange={(next) => setLanguage(next as Language)}
            choices={Object.entries(words.languages).map(([value, label]) => ({ value, label }))}
          />
          <SelectField
            label={words.timeZone}
            value={time_zone}
            onChange={setTimeZone}
            choices={listTimeZones(user.time_zone).map((zone) => ({ value: zone, label: zone }))}
          />
        </div>
        <div className={layout['wrap']}>
          <Button type="submit" kind="primary" isPending={update.isPending}>
            {words.save}
          </Button>
          <CopyCall operation="users.update" input={input} />
        </div>
        {update.isSuccess && <p role="status">{words.saved}</p>}
        {update.isError && <ProblemNote error={update.error} />}
      </form>
    </Section>
  )
}

function EmailForm({ email: known }: { email: string }) {
  const change = useCommand('users.email.change', [])
  const [email, setEmail] = useState('')
  return (
    <Section title={words.email.heading}>
      <p className={typography['anywhere']}>{known}</p>
      <ConfirmedForm
        label={words.email.change}
        command={{ ...change, mutate: (proof) => change.mutate({ email: email.trim(), ...proof }) }}
      >
        <TextField
          label={words.email.address}
          type="email"
          required
          autoComplete="email"
          value={email}
          onChange={setEmail}
        />
      </ConfirmedForm>
      {change.data && <p role="status">{words.email.sent(change.data.email)}</p>}
    </Section>
  )
}

function Export() {
  const read = useCommand('users.export', [])
  const download = (): void =>
    read.mutate(
      {},
      {
        onSuccess: (account) =>
          saveFile(new Blob([JSON.stringify(account, null, 2)], { type: 'application/json' }), 'account.json'),
      },
    )
  return (
    <Section title={words.export.heading} actions={<CopyCall operation="users.export" input={{}} />}>
      <p className={typography['muted']}>{words.export.help}</p>
      <div>
        <Button isPending={read.isPending} onClick={download}>
          {words.export.get}
        </Button>
      </div>
      {read.isError && <ProblemNote error={read.error} />}
    </Section>
  )
}

function DeleteAccount({ email }: { email: string }) {
  const { session } = usePlatform()
  const remove = useCommand('users.delete', [])
  const confirmation = useConfirmation()
  return (
    <Section title={words.leave.heading}>
      <p className={typography['muted']}>{words.leave.text}</p>
      <div>
        <ConfirmButton
          label={words.leave.remove}
          verb={words.leave.remove}
          kind="danger"
          title={words.leave.title}
          subject={email}
          text={words.leave.text}
          cancel={words.cancel}
          call={['users.delete', confirmation.input]}
          command={remove}
          isComplete={confirmation.password !== ''}
          onSuccess={() => void session.signOut()}
        >
          <ConfirmationFields draft={confirmation} isAlwaysAsked />
        </ConfirmButton>
      </div>
    </Section>
  )
}
