import { useState, type ReactNode } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'

const words = personTexts.confirm

/** What proves again that a call is by the person of the account; members that are empty are left out. */
export interface ProofInput {
  readonly password?: string
  readonly otp?: string
}

export interface ConfirmationDraft {
  readonly input: ProofInput
  readonly password: string
  readonly otp: string
  readonly setPassword: (text: string) => void
  readonly setOtp: (text: string) => void
}

export function useConfirmation(): ConfirmationDraft {
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const input = { ...(password === '' ? {} : { password }), ...(otp === '' ? {} : { otp: otp.trim() }) }
  return { input, password, otp, setPassword, setOtp }
}

interface ConfirmationFieldsProps {
  readonly draft: ConfirmationDraft
  /** True for what is confirmed however short the time since signing in. */
  readonly isAlwaysAsked?: boolean
}

/** True for who has a code to enter besides a password; false while that is not known. */
export const hasSecondFactor = (signIn: OutputOf<'users.me'>['sign_in'] | undefined): boolean =>
  signIn ? signIn.totp || signIn.passkeys > 0 : false

/** The fields of a confirmation, which the server asks for when the sign-in was long ago; a code of who has a second factor. */
export function ConfirmationFields({ draft, isAlwaysAsked = false }: ConfirmationFieldsProps) {
  const signIn = usePrincipal().data?.sign_in
  return (
    <>
      <TextField
        label={words.password}
        help={isAlwaysAsked ? undefined : words.help}
        type="password"
        autoComplete="current-password"
        value={draft.password}
        onChange={draft.setPassword}
      />
      {hasSecondFactor(signIn) && (
        <TextField
          label={signIn?.totp ? words.otp : words.recoveryCode}
          autoComplete="one-time-code"
          value={draft.otp}
          onChange={draft.setOtp}
        />
      )}
    </>
  )
}

interface ConfirmedFormProps {
  /** The words of the button. */
  readonly label: string
  readonly kind?: 'primary' | 'plain'
  readonly command: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly mutate: (input: ProofInput) => void
  }
  /** Fields before those of the confirmation. */
  readonly children?: ReactNode
}

/** A form for a change of the account, which asks for the confirmation and says why it was refused. */
export function ConfirmedForm({ label, kind = 'plain', command, children }: ConfirmedFormProps) {
  const confirmation = useConfirmation()
  return (
    <form
      className={`${layout['stack8']} ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault()
        command.mutate(confirmation.input)
      }}
    >
      {children}
      <ConfirmationFields draft={confirmation} />
      <div>
        <Button type="submit" kind={kind} isPending={command.isPending}>
          {label}
        </Button>
      </div>
      {command.error && <ProblemNote error={command.error} />}
    </form>
  )
}
