import { useState } from 'react'
import { personTexts } from '../../texts/person.ts'
import { TextField } from '../../ui/field.tsx'

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

/** The fields of a confirmation, which the server asks for when the sign-in was long ago. */
export const ConfirmationFields = ({ draft }: { draft: ConfirmationDraft }) => (
  <>
    <TextField
      label={words.password}
      help={words.help}
      type="password"
      autoComplete="current-password"
      value={draft.password}
      onChange={draft.setPassword}
    />
    <TextField label={words.otp} autoComplete="one-time-code" value={draft.otp} onChange={draft.setOtp} />
  </>
)
