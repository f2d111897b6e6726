import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { findUserByEmailKey, insertUser } from './store.ts'
import type { UserRow } from './user.ts'

/** The key of an email in the user directory: the same for any letter case. */
export const toEmailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export interface UserInput {
  readonly email: string
  readonly name: string | null
  /** The result of `PasswordHasher.hash`, computed before the transaction because it is slow; null for an account without a password. */
  readonly password_hash: string | null
  /** True for a password that another person than the user has seen. */
  readonly password_temporary: boolean
  readonly organization: string | null
  readonly administrator?: boolean
}

/** Creates a user in an unscoped transaction. Null if the email is taken. */
export async function createUser(tx: Tx, input: UserInput, now: Date): Promise<UserRow | null> {
  const row = {
    id: newId(),
    email: input.email.trim(),
    email_key: toEmailKey(input.email),
    name: input.name,
    password_hash: input.password_hash,
    password_temporary: input.password_temporary,
    organization_id: input.organization,
    is_administrator: input.administrator ?? false,
    created_at: now,
  }
  return (await insertUser(tx, row)) ? row : null
}

export const findUserByEmail = (unscoped: SqlStatementRunner, email: string): Promise<UserRow | null> =>
  findUserByEmailKey(unscoped, toEmailKey(email))

/** The hashes of the password that a user had, and of the one that the user chose. */
export interface PasswordChange {
  readonly before: string
  readonly after: string
}
