import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import {
  findOldestAdministrator,
  findUser,
  findUserByEmailKey,
  insertUser,
  updateOwnPassword,
  updateUserOrganization,
} from './store.ts'
import type { UserRow } from './user.ts'

/** The key of an email in the user directory: the same for any letter case. */
export const toEmailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export interface UserInput {
  readonly email: string
  readonly name: string | null
  /** From `PasswordHasher.hash`, computed before the transaction because it is slow. */
  readonly password_hash: string
  /** True for a password that somebody other than the user has seen. */
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

export const findUserByEmail = (unscoped: Queryable, email: string): Promise<UserRow | null> =>
  findUserByEmailKey(unscoped, toEmailKey(email))

export const findUserById = (unscoped: Queryable, user: string): Promise<UserRow | null> => findUser(unscoped, user)

/** The administrator that the first start created, or the oldest one who is still active; null if nobody is. */
export const findFirstAdministrator = (
  unscoped: Queryable,
): Promise<{ readonly id: string; readonly organization_id: string } | null> => findOldestAdministrator(unscoped)

/** The hashes of the password that a user had, and of the one that the user chose. */
export interface PasswordChange {
  readonly before: string
  readonly after: string
}

/** Replaces the password of a user by one that only the user knows. False if it was changed meanwhile. */
export const changeOwnPassword = (tx: Tx, user: string, change: PasswordChange, now: Date): Promise<boolean> =>
  updateOwnPassword(tx, user, change, now)

/** Adds a user without an organization to one. False if the user has one by now. */
export const setUserOrganization = (tx: Tx, user: string, organization: string, now: Date): Promise<boolean> =>
  updateUserOrganization(tx, user, organization, now)
