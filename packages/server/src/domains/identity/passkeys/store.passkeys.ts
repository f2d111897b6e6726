import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A WebAuthn credential of a user. */
export interface PasskeyRow {
  readonly id: string
  readonly user_id: string
  /** As base64url, as is the public key (CBOR in COSE format). */
  readonly credential_id: string
  readonly public_key: string
  /** How often its authenticator says that it was used; 0 for those that do not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** True if its user can have it on several devices. */
  readonly is_synced: boolean
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const columns = sql`id, user_id, credential_id, public_key, counter::float8 as counter, transports, is_synced, name,
  created_at, last_used_at`

/** False if the credential is registered already, for whomever. */
export async function insertPasskey(tx: Tx, row: Omit<PasskeyRow, 'last_used_at'>): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${row.id}, ${row.user_id}, ${row.credential_id}, ${row.public_key}, ${row.counter},
            ${[...row.transports]}, ${row.is_synced}, ${row.name}, ${row.created_at})
    on conflict (credential_id) do nothing
    returning id`)
  return rows.length > 0
}

/** The passkeys of a user in the order of their registration. */
export const listPasskeys = (db: SqlStatementRunner, user: string): Promise<PasskeyRow[]> =>
  db.query<PasskeyRow>(sql`select ${columns} from passkeys where user_id = ${user} order by created_at, id`)

export async function findPasskeyByCredential(
  db: SqlStatementRunner,
  credential_id: string,
): Promise<PasskeyRow | null> {
  const [row] = await db.query<PasskeyRow>(sql`select ${columns} from passkeys where credential_id = ${credential_id}`)
  return row ?? null
}

/** Null if the user has no such passkey. */
export async function updatePasskeyName(
  db: SqlStatementRunner,
  user: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<PasskeyRow | null> {
  const [row] = await db.query<PasskeyRow>(sql`
    update passkeys set name = ${name} where id = ${id} and user_id = ${user} returning ${columns}`)
  return row ?? null
}

/**
 * Records a use. False if the counter is not higher than the one of the last use, unless the authenticator does not count: it was copied,
 * or the same response was sent twice at once.
 */
export async function updatePasskeyUse(
  db: SqlStatementRunner,
  id: string,
  { counter, used_at }: { readonly counter: number; readonly used_at: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update passkeys set counter = ${counter}, last_used_at = ${used_at}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`)
  return rows.length > 0
}

/** False if the user has no such passkey. */
export async function deletePasskey(tx: Tx, user: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from passkeys where id = ${id} and user_id = ${user} returning id`)
  return rows.length > 0
}

/** Deletes those registered since a time, default all; returns how many there were. */
export async function deletePasskeysOfUser(tx: Tx, user: string, since: Date | null = null): Promise<number> {
  const condition = since === null ? sql`true` : sql`created_at >= ${since}`
  const rows = await tx.query(sql`delete from passkeys where user_id = ${user} and ${condition} returning id`)
  return rows.length
}

/** `sign-in` is for whoever comes; the others are for one user. */
export type ChallengePurpose = 'register' | 'sign-in' | 'second-factor'

export interface PasskeyChallengeRow {
  readonly challenge_hash: string
  readonly purpose: ChallengePurpose
  readonly user_id: string | null
  readonly expires_at: Date
}

export async function insertPasskeyChallenge(db: SqlStatementRunner, row: PasskeyChallengeRow): Promise<void> {
  await db.query(sql`
    insert into passkey_challenges (challenge_hash, purpose, user_id, expires_at)
    values (${row.challenge_hash}, ${row.purpose}, ${row.user_id}, ${row.expires_at})`)
}

/** Takes a challenge away, so that it is used once. False if there is none that has not expired. */
export async function deletePasskeyChallenge(
  db: SqlStatementRunner,
  { challenge_hash, purpose, user_id }: Omit<PasskeyChallengeRow, 'expires_at'>,
  time: Date,
): Promise<boolean> {
  const rows = await db.query<{ expires_at: Date }>(sql`
    delete from passkey_challenges
    where challenge_hash = ${challenge_hash} and purpose = ${purpose} and user_id is not distinct from ${user_id}::uuid
    returning expires_at`)
  return rows.some(({ expires_at }) => expires_at > time)
}

/** Deletes the challenges that expired before a time. */
export async function deletePasskeyChallengesBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from passkey_challenges where expires_at < ${time}`)
}
