import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { findUser, findUserByEmailKey, insertUser, joinOrganization } from './store.ts'
import type { UserRow } from './user.ts'

/** The key of an email in the user directory: the same for any letter case. */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export interface NewPerson {
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
export async function enterPerson(tx: Tx, person: NewPerson, now: Date): Promise<UserRow | null> {
  const row = {
    id: newId(),
    email: person.email.trim(),
    email_key: emailKeyOf(person.email),
    name: person.name,
    password_hash: person.password_hash,
    password_temporary: person.password_temporary,
    organization_id: person.organization,
    is_administrator: person.administrator ?? false,
    created_at: now,
  }
  return (await insertUser(tx, row)) ? row : null
}

export const findPersonByAddress = (across: Queryable, email: string): Promise<UserRow | null> =>
  findUserByEmailKey(across, emailKeyOf(email))

export const findPersonById = (across: Queryable, user: string): Promise<UserRow | null> => findUser(across, user)

/** Adds a user without an organization to one. False if the user has one by now. */
export const placePerson = (tx: Tx, user: string, organization: string, now: Date): Promise<boolean> =>
  joinOrganization(tx, user, organization, now)
