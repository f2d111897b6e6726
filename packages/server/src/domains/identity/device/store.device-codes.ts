import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The pending request of a program (RFC 8628). */
export interface DeviceCode {
  readonly device_code_hash: string
  readonly user_code_hash: string
  readonly client_id: string
  /** The scopes of resources that the program asked for; null for none. */
  readonly scopes: readonly string[] | null
  /** The resources that it named; null for none. */
  readonly resources: readonly string[] | null
  readonly address: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly interval_seconds: number
}

export interface DeviceCodeRow extends DeviceCode {
  readonly last_polled_at: Date | null
  readonly decision: DeviceCodeDecision | null
  readonly user_id: string | null
  /** The organization that the user chose; null for the one that the user chose last. */
  readonly organization_id: string | null
  /** The session of the tokens that it was exchanged for; null for an unused code. */
  readonly session_id: string | null
  /** When the session of the browser that decided it ended; null for an active one, and for an undecided code. */
  readonly browser_revoked_at: Date | null
  /** The organization whose provider began that session; null for a password, and for an undecided code. */
  readonly provider_organization_id: string | null
  /** How the user signed in with the browser. */
  readonly browser_amr: readonly string[] | null
}

export type DeviceCodeDecision = 'ALLOWED' | 'DENIED'

/** False if the user code is taken. */
export async function insertDeviceCode(db: SqlStatementRunner, code: DeviceCode): Promise<boolean> {
  const rows = await db.query(sql`
    insert into device_codes (device_code_hash, user_code_hash, client_id, scopes, resources, address, created_at, expires_at,
                              interval_seconds)
    values (${code.device_code_hash}, ${code.user_code_hash}, ${code.client_id}, ${code.scopes}, ${code.resources}, ${code.address}, ${code.created_at},
            ${code.expires_at}, ${code.interval_seconds})
    on conflict (user_code_hash) do nothing
    returning client_id`)
  return rows.length === 1
}

/** The code with a row lock that serializes polls; null for an unknown one. */
export async function lockDeviceCode(tx: Tx, device_code_hash: string): Promise<DeviceCodeRow | null> {
  const [row] = await tx.query<DeviceCodeRow>(sql`
    select c.device_code_hash, c.user_code_hash, c.client_id, c.scopes, c.resources, c.address, c.created_at, c.expires_at, c.interval_seconds,
           c.last_polled_at, c.decision, c.user_id, c.organization_id, c.session_id, b.revoked_at as browser_revoked_at,
           b.provider_organization_id, b.amr as browser_amr
    from device_codes c left join sessions b on b.id = c.browser_session_id
    where c.device_code_hash = ${device_code_hash}
    for update of c`)
  return row ?? null
}

/** What the user sees of a code before deciding. */
export type PendingDeviceCode = Pick<DeviceCode, 'client_id' | 'scopes' | 'address' | 'created_at'>

/** The code that is valid and undecided; null for any other. */
export async function findPendingDeviceCode(
  db: SqlStatementRunner,
  user_code_hash: string,
  time: Date,
): Promise<PendingDeviceCode | null> {
  const [row] = await db.query<PendingDeviceCode>(sql`
    select client_id, scopes, address, created_at from device_codes
    where user_code_hash = ${user_code_hash} and decision is null and expires_at > ${time}`)
  return row ?? null
}

/** The decision of a user, in a browser that is signed in. */
export interface DecidedDeviceCode {
  readonly decision: DeviceCodeDecision
  readonly user_id: string
  readonly organization_id: string | null
  readonly browser_session_id: string
  readonly decided_at: Date
}

/** Decides a code once. False if it was decided before, or has expired. */
export async function markDeviceCodeDecided(
  db: SqlStatementRunner,
  user_code_hash: string,
  { decision, user_id, organization_id, browser_session_id, decided_at }: DecidedDeviceCode,
): Promise<boolean> {
  const rows = await db.query(sql`
    update device_codes
    set decision = ${decision}, user_id = ${user_id}, organization_id = ${organization_id}, browser_session_id = ${browser_session_id},
        decided_at = ${decided_at}
    where user_code_hash = ${user_code_hash} and decision is null and expires_at > ${decided_at}
    returning client_id`)
  return rows.length === 1
}

export async function updateDeviceCodePoll(
  tx: Tx,
  device_code_hash: string,
  { last_polled_at, interval_seconds }: { readonly last_polled_at: Date; readonly interval_seconds: number },
): Promise<void> {
  await tx.query(sql`
    update device_codes set last_polled_at = ${last_polled_at}, interval_seconds = ${interval_seconds}
    where device_code_hash = ${device_code_hash}`)
}

export async function markDeviceCodeUsed(
  tx: Tx,
  device_code_hash: string,
  { session, used_at }: { readonly session: string; readonly used_at: Date },
): Promise<void> {
  await tx.query(sql`
    update device_codes set used_at = ${used_at}, session_id = ${session} where device_code_hash = ${device_code_hash}`)
}

/** Deletes the codes that expired before a time. */
export async function deleteDeviceCodesBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from device_codes where expires_at < ${time}`)
}
