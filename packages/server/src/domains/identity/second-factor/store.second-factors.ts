import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The authenticator app of a user. */
export interface TotpRow {
  readonly sealed_secret: string
  readonly created_at: Date
  /** Null while it is being set up. */
  readonly confirmed_at: Date | null
}

export async function findTotp(db: SqlStatementRunner, user: string): Promise<TotpRow | null> {
  const [row] = await db.query<TotpRow>(sql`
    select sealed_secret, created_at, confirmed_at from user_totp where user_id = ${user}`)
  return row ?? null
}

/** Stores the secret of an app that is being set up, in place of another such secret. False if the user has an app already. */
export async function upsertPendingTotp(
  tx: Tx,
  row: { readonly user_id: string; readonly sealed_secret: string; readonly created_at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into user_totp (user_id, sealed_secret, created_at)
    values (${row.user_id}, ${row.sealed_secret}, ${row.created_at})
    on conflict (user_id) do update
      set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = null
      where user_totp.confirmed_at is null
    returning user_id`)
  return rows.length > 0
}

/** Turns the app on, which has this secret and is being set up. False if it is not any more. */
export async function markTotpConfirmed(
  tx: Tx,
  user: string,
  { sealed_secret, step, at }: { readonly sealed_secret: string; readonly step: number; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update user_totp set confirmed_at = ${at}, last_step = ${step}
    where user_id = ${user} and sealed_secret = ${sealed_secret} and confirmed_at is null
    returning user_id`)
  return rows.length > 0
}

/** Uses the code of a period. False if one of this period, or of a later one, was used before. */
export async function markTotpStepUsed(db: SqlStatementRunner, user: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    update user_totp set last_step = ${step}
    where user_id = ${user} and confirmed_at is not null and (last_step is null or last_step < ${step})
    returning user_id`)
  return rows.length > 0
}

/** True if the user had one that was turned on. */
export async function deleteTotp(tx: Tx, user: string): Promise<boolean> {
  const rows = await tx.query<{ confirmed_at: Date | null }>(sql`
    delete from user_totp where user_id = ${user} returning confirmed_at`)
  return rows.some(({ confirmed_at }) => confirmed_at !== null)
}

export async function insertRecoveryCodes(
  tx: Tx,
  user: string,
  { code_hashes, created_at }: { readonly code_hashes: readonly string[]; readonly created_at: Date },
): Promise<void> {
  await tx.query(sql`
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${user}::uuid, code_hash, ${created_at}::timestamptz from unnest(${[...code_hashes]}::text[]) as code_hash`)
}

/** False for an unknown code, and for one that was used before. */
export async function markRecoveryCodeUsed(
  db: SqlStatementRunner,
  user: string,
  { code_hash, used_at }: { readonly code_hash: string; readonly used_at: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update recovery_codes set used_at = ${used_at}
    where user_id = ${user} and code_hash = ${code_hash} and used_at is null
    returning user_id`)
  return rows.length > 0
}

/** Recovery codes that were not used. */
export async function countRecoveryCodes(db: SqlStatementRunner, user: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from recovery_codes where user_id = ${user} and used_at is null`)
  return row?.count ?? 0
}

export async function deleteRecoveryCodes(tx: Tx, user: string, since: Date | null = null): Promise<void> {
  const condition = since === null ? sql`true` : sql`created_at >= ${since}`
  await tx.query(sql`delete from recovery_codes where user_id = ${user} and ${condition}`)
}

/** The ids among these users that have a second factor. */
export async function listUsersWithSecondFactor(db: SqlStatementRunner, users: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(sql`
    select user_id from user_totp where user_id = any(${[...users]}::uuid[]) and confirmed_at is not null
    union
    select user_id from passkeys where user_id = any(${[...users]}::uuid[])`)
  return rows.map(({ user_id }) => user_id)
}

/** Adds what the user has proven to the methods of sessions of the user. */
export async function updateSessionMethods(
  tx: Tx,
  user: string,
  { sessions, methods }: { readonly sessions: readonly string[]; readonly methods: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update sessions
    set amr = array(select distinct method from unnest(coalesce(amr, array['pwd']) || ${[...methods]}::text[]) as method)
    where user_id = ${user} and id = any(${[...sessions]}::uuid[]) and revoked_at is null`)
}
