import { useEffect, useState, type FormEvent } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { CodesNote } from './codes-note.tsx'
import { ConfirmationFields, ConfirmedForm, useConfirmation } from './confirmation.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts.totp

/** Sets an authenticator app up, or removes it. */
export function AuthenticatorApp() {
  const begin = useCommand('users.totp.begin', [])
  return (
    <Section title={words.heading}>
      <p className={typography['muted']}>{words.help}</p>
      {begin.data ? (
        <AppSetup setup={begin.data} />
      ) : (
        <ConfirmedForm label={words.begin} kind="primary" command={begin} actions={<RemoveApp />} />
      )}
    </Section>
  )
}

/** The key of an app as a picture, until the app has shown its first code. */
function AppSetup({ setup }: { setup: OutputOf<'users.totp.begin'> }) {
  const confirm = useCommand('users.totp.confirm', [])
  const [otp, setOtp] = useState('')
  const picture = useSvgUrl(setup.qr_svg)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    confirm.mutate({ otp: otp.trim() })
  }
  if (confirm.data)
    return (
      <>
        <p role="status">{words.confirmed}</p>
        {confirm.data.recovery_codes && <CodesNote codes={confirm.data.recovery_codes} />}
      </>
    )
  return (
    <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
      <p>{words.scan}</p>
      {picture && <img src={picture} alt={words.picture} width={200} height={200} />}
      <p className={typography['muted']}>{words.key}</p>
      <Identifier id={setup.secret} />
      <TextField
        label={words.code}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        value={otp}
        onChange={setOtp}
      />
      <div>
        <Button type="submit" kind="primary" isPending={confirm.isPending}>
          {words.confirm}
        </Button>
      </div>
      {confirm.isError && <ProblemNote error={confirm.error} />}
    </form>
  )
}

/** A URL of an image, which lasts as long as the component. */
function useSvgUrl(svg: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [svg])
  return url
}

function RemoveApp() {
  const remove = useCommand('users.totp.remove', [])
  const confirmation = useConfirmation()
  return (
    <>
      <ConfirmButton
        label={words.remove}
        verb={words.remove}
        kind="plain"
        confirmKind="danger"
        title={words.removeTitle}
        subject={words.heading}
        text={words.removeText}
        cancel={personTexts.cancel}
        call={['users.totp.remove', confirmation.input]}
        command={remove}
      >
        <ConfirmationFields draft={confirmation} />
      </ConfirmButton>
      {remove.isSuccess && <p role="status">{words.removed}</p>}
    </>
  )
}

/** Replaces the recovery codes. */
export function RecoveryCodes() {
  const make = useCommand('users.recovery_codes.regenerate', [])
  const { codes } = personTexts
  return (
    <Section title={codes.heading}>
      <p className={typography['muted']}>{codes.help}</p>
      {make.data ? (
        <CodesNote codes={make.data.recovery_codes} />
      ) : (
        <ConfirmedForm label={codes.regenerate} command={make} />
      )}
    </Section>
  )
}
