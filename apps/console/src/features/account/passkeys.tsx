import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputOf, Passkey } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { CodesNote } from './codes-note.tsx'
import { ConfirmationFields, ConfirmedForm, useConfirmation, type ProofInput } from './confirmation.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts.passkeys
/** Removing the last one leaves no second factor and no recovery codes. */
const affected = ['users.passkeys.list', 'users.me'] as const

/** Browsers bind passkeys to names: under an IP address there are none. */
const isIpAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname)

const isSupported = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !isIpAddress(location.hostname)

/** The passkeys of a person. */
export function Passkeys() {
  const passkeys = useOperation('users.passkeys.list', {})
  return (
    <Section title={words.heading} actions={<CopyCall operation="users.passkeys.list" input={{}} />}>
      <p className={typography['muted']}>{words.help}</p>
      <QueryView query={passkeys} rows={2}>
        {({ passkeys: known }) =>
          known.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className={layout['stack8']}>
              {known.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {isSupported() ? <AddPasskey /> : <p>{words.unsupported}</p>}
    </Section>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [isRenamed, setRenamed] = useState(false)
  const { name, created_at, last_used_at } = passkey
  return (
    <li className={layout['stack8']}>
      <div className={layout['spread']}>
        <span>
          <strong>{name}</strong>
          <br />
          <small className={typography['muted']}>
            {words.added} <Time at={created_at} /> · {words.used}{' '}
            {last_used_at === null ? words.never : <Time at={last_used_at} />}
          </small>
        </span>
        <span className={layout['wrap']}>
          <Button aria-label={words.renameNamed(name)} aria-expanded={isRenamed} onClick={() => setRenamed(!isRenamed)}>
            {words.rename}
          </Button>
          <RemovePasskey passkey={passkey} />
        </span>
      </div>
      {isRenamed && <RenameForm passkey={passkey} onClose={() => setRenamed(false)} />}
    </li>
  )
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useCommand('users.passkeys.rename', affected)
  const [name, setName] = useState(passkey.name)
  const input = { passkey_id: passkey.id, name: name.trim() }
  return (
    <form
      className={`${layout['stack8']} ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate(input, { onSuccess: onClose })
      }}
    >
      <TextField label={words.newName} required maxLength={100} value={name} onChange={setName} />
      <div className={layout['wrap']}>
        <Button type="submit" kind="primary" isPending={rename.isPending}>
          {personTexts.save}
        </Button>
        <CopyCall operation="users.passkeys.rename" input={input} />
        <Button onClick={onClose}>{personTexts.cancel}</Button>
      </div>
      {rename.isError && <ProblemNote error={rename.error} />}
    </form>
  )
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const remove = useCommand('users.passkeys.remove', affected)
  const confirmation = useConfirmation()
  return (
    <ConfirmButton
      label={words.removeNamed(name)}
      verb={words.remove}
      kind="danger"
      title={words.removeTitle}
      subject={name}
      text={words.removeText}
      cancel={personTexts.cancel}
      call={['users.passkeys.remove', { passkey_id: id, ...confirmation.input }]}
      command={remove}
    >
      <ConfirmationFields draft={confirmation} />
    </ConfirmButton>
  )
}

/** Asks the server for a challenge, the browser for a passkey, and the server to keep it. */
function AddPasskey() {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: async (proof: ProofInput) => {
      const { options } = await client.call('users.passkeys.register_begin', proof)
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      )
      const credential = await createCredential(publicKey)
      const finish: InputOf<'users.passkeys.register_finish'> = {
        credential: { ...credential.toJSON() },
        name: name.trim(),
      }
      return client.call('users.passkeys.register_finish', finish)
    },
    onSuccess: () => Promise.all(affected.map((id) => queries.invalidateQueries({ queryKey: [id] }))),
  })
  return (
    <>
      <ConfirmedForm label={words.add} command={add}>
        <TextField label={words.name} required maxLength={100} value={name} onChange={setName} />
      </ConfirmedForm>
      {add.data?.recovery_codes && <CodesNote codes={add.data.recovery_codes} />}
    </>
  )
}

/** Throws an error with a text for people where the browser, or its person, refuses. */
async function createCredential(publicKey: PublicKeyCredentialCreationOptions): Promise<PublicKeyCredential> {
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) throw new Error(words.refused)
  return credential
}
