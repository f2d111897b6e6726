import { limits } from '@swath/contract/limits.ts'
import { max_password_bytes } from '../../platform/crypto/passwords.ts'

/** A password that a user chooses. */
export interface ChosenPassword {
  readonly password: string
  /** The email of the user. */
  readonly email: string
}

export type PasswordRuleName = 'too-short' | 'too-long' | 'is-email'

interface PasswordRule {
  readonly name: PasswordRuleName
  readonly isViolated: (chosen: ChosenPassword) => boolean
  readonly message: string
}

/** Length counts characters as a user sees them typed, after the normalization that the hash uses. */
const countCharacters = (password: string): number => [...password.normalize('NFKC')].length

const passwordRules: readonly PasswordRule[] = [
  {
    name: 'too-short',
    isViolated: ({ password }) => countCharacters(password) < limits.min_password_length,
    message: `The password must have at least ${limits.min_password_length} characters.`,
  },
  {
    name: 'too-long',
    isViolated: ({ password }) => Buffer.byteLength(password.normalize('NFKC'), 'utf8') > max_password_bytes,
    message: `The password must have at most ${max_password_bytes} bytes.`,
  },
  {
    name: 'is-email',
    isViolated: ({ password, email }) => password.trim().toLowerCase() === email.trim().toLowerCase(),
    message: 'The password must not be the e-mail address.',
  },
]

/** The first rule that a chosen password violates; null for a permitted one. */
export const findViolatedPasswordRule = (chosen: ChosenPassword): PasswordRuleName | null =>
  passwordRules.find(({ isViolated }) => isViolated(chosen))?.name ?? null

/** A sentence about the first rule that a chosen password violates; null for a permitted one. */
export const findPasswordError = (chosen: ChosenPassword): string | null =>
  passwordRules.find(({ isViolated }) => isViolated(chosen))?.message ?? null
