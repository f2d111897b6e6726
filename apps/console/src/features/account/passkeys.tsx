import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputOf, Passkey } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { CodesNote } from './codes-note.tsx'
import { ConfirmationFields, ConfirmedForm, useConfirmation, type ProofInput } from './confirmation.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts.passkeys
const affected = ['users.passkeys.list'] as const

const isSupported = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

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

function PasskeyRow({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) {
  const remove = useCommand('users.passkeys.remove', affected)
  const confirmation = useConfirmation()
  return (
    <li className={layout['spread']}>
      <span>
        <strong>{name}</strong>
        <br />
        <small className={typography['muted']}>
          {words.added} <Time at={created_at} /> · {words.used}{' '}
          {last_used_at === null ? words.never : <Time at={last_used_at} />}
        </small>
      </span>
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
    </li>
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
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users.passkeys.list'] }),
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
