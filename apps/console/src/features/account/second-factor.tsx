import { useEffect, useState, type FormEvent } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton, type ConfirmButtonProps } from '../../ui/confirm-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { CodesNote } from './codes-note.tsx'
import { ConfirmationFields, ConfirmedForm, hasSecondFactor, useConfirmation } from './confirmation.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts.totp

/** Of `users.me`, which says what a person signs in with. */
const affected = ['users.me'] as const

/** Sets an authenticator app up, or removes it. */
export function AuthenticatorApp() {
  const begin = useCommand('users.totp.begin', [])
  const remove = useCommand('users.totp.remove', affected)
  const hasApp = usePrincipal().data?.sign_in?.totp ?? false
  return (
    <Section title={words.heading}>
      <p className={typography['muted']}>{hasApp ? words.present : words.help}</p>
      {begin.data ? (
        <AppSetup setup={begin.data} onDone={begin.reset} />
      ) : hasApp ? (
        <RemoveApp command={remove} />
      ) : (
        <>
          {remove.isSuccess && <p role="status">{words.removed}</p>}
          <ConfirmedForm label={words.begin} kind="primary" command={begin} />
        </>
      )}
    </Section>
  )
}

/** The key of an app as a picture, until the app has shown its first code. */
function AppSetup({ setup, onDone }: { setup: OutputOf<'users.totp.begin'>; onDone: () => void }) {
  const confirm = useCommand('users.totp.confirm', affected)
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
        <div>
          <Button onClick={onDone}>{personTexts.done}</Button>
        </div>
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

function RemoveApp({ command }: Pick<ConfirmButtonProps<'users.totp.remove'>, 'command'>) {
  const confirmation = useConfirmation()
  return (
    <div>
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
        command={command}
      >
        <ConfirmationFields draft={confirmation} />
      </ConfirmButton>
    </div>
  )
}

/** Replaces the recovery codes; they exist as long as there is a second factor that they replace. */
export function RecoveryCodes() {
  const make = useCommand('users.recovery_codes.regenerate', affected)
  const signIn = usePrincipal().data?.sign_in
  const { codes } = personTexts
  const hasFactor = hasSecondFactor(signIn)
  return (
    <Section title={codes.heading}>
      <p className={typography['muted']}>{hasFactor ? codes.help : codes.none}</p>
      {hasFactor && signIn && <p>{codes.left(signIn.recovery_codes)}</p>}
      {make.data ? (
        <CodesNote codes={make.data.recovery_codes} />
      ) : (
        hasFactor && <ConfirmedForm label={codes.regenerate} command={make} />
      )}
    </Section>
  )
}
