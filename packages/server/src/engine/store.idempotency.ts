import type { DbConnection, SqlStatementRunner } from '../platform/database/database.ts'
import { sql, type Sql } from '../platform/database/sql.ts'
import { newId } from '../platform/ids.ts'

/** A response as it is stored and replayed, byte for byte. */
export interface StoredIdempotentResponse {
  readonly status: number
  readonly body: string
  /** The media type of a stored error; absent if it is the operation's own. */
  readonly media_type?: string
}

export interface IdempotencyClaimKey {
  readonly organization: string
  readonly operation: string
  readonly key: string
  /** The principal that sends the key, as `kind:id`. */
  readonly principal: string
}

export interface IdempotencyClaimRow {
  readonly body_hash: string
  /** Null in a row that is older than the column. */
  readonly principal: string | null
  readonly recovery_point: string
  readonly recovery_data: Readonly<Record<string, unknown>>
  readonly holder: string
  readonly response: StoredIdempotentResponse | null
}

const columns = sql`body_hash, principal, recovery_point, recovery_data, holder, response`
const claimCondition = (key: IdempotencyClaimKey) =>
  sql`organization_id = ${key.organization} and operation = ${key.operation} and key = ${key.key}`

/** True for a claim that was unlocked after a failure, or whose lease has expired. */
const isUnlocked = (lease_ms: number) => sql`
  (c.locked_at is null or c.locked_at < statement_timestamp() - ${lease_ms}::double precision * interval '1 millisecond')`

/**
 * Null if the key is claimed and younger than 24 hours. Replaces an older claim, and an unlocked one of another body or
 * principal that had no effect. The present time is that of the row that was to be inserted, whose defaults have it: a
 * distributed engine allows only immutable functions here.
 */
export async function insertIdempotencyClaim(
  db: SqlStatementRunner,
  key: IdempotencyClaimKey,
  body_hash: string,
  lease_ms: number,
): Promise<IdempotencyClaimRow | null> {
  const [row] = await db.query<IdempotencyClaimRow>(sql`
    insert into idempotency_claims as c (organization_id, operation, key, principal, body_hash, holder)
    values (${key.organization}, ${key.operation}, ${key.key}, ${key.principal}, ${body_hash}, ${newId()})
    on conflict (organization_id, operation, key) do update
      set body_hash = excluded.body_hash, principal = excluded.principal, holder = excluded.holder,
          recovery_point = 'claimed', recovery_data = '{}', response = null,
          locked_at = excluded.locked_at, created_at = excluded.created_at
      where excluded.created_at - c.created_at > interval '24 hours'
        or ((c.body_hash <> excluded.body_hash or c.principal <> excluded.principal)
            and c.response is null and c.recovery_point in ('claimed', 'refused')
            and (c.locked_at is null
              or excluded.created_at - c.locked_at > ${lease_ms}::double precision * interval '1 millisecond'))
    returning ${columns}`)
  return row ?? null
}

/** Takes over an unlocked claim of the same body and principal. */
export async function claimAbandonedIdempotencyKey(
  db: SqlStatementRunner,
  key: IdempotencyClaimKey,
  body_hash: string,
  lease_ms: number,
): Promise<IdempotencyClaimRow | null> {
  const [row] = await db.query<IdempotencyClaimRow>(sql`
    update idempotency_claims as c
    set holder = ${newId()}, principal = ${key.principal}, locked_at = statement_timestamp()
    where ${claimCondition(key)} and body_hash = ${body_hash} and coalesce(principal, ${key.principal}) = ${key.principal}
      and response is null and ${isUnlocked(lease_ms)}
    returning ${columns}`)
  return row ?? null
}

/** A claim with the rest of its lease, after which it may be taken over unless its holder renews it. */
export async function findIdempotencyClaim(
  db: SqlStatementRunner,
  key: IdempotencyClaimKey,
  lease_ms: number,
): Promise<(IdempotencyClaimRow & { readonly lease_rest_ms: number }) | null> {
  const [row] = await db.query<IdempotencyClaimRow & { lease_rest_ms: number }>(sql`
    select ${columns}, greatest(0, coalesce(${lease_ms}::double precision
      - 1000 * extract(epoch from statement_timestamp() - locked_at)::double precision, 0)) as lease_rest_ms
    from idempotency_claims where ${claimCondition(key)}`)
  return row ?? null
}

export async function updateIdempotencyCheckpoint(
  tx: SqlStatementRunner,
  {
    key,
    holder,
    point,
    data,
  }: {
    readonly key: IdempotencyClaimKey
    readonly holder: string
    readonly point: string
    readonly data: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const rows = await tx.query(sql`
    update idempotency_claims
    set recovery_point = ${point}, recovery_data = ${sql.json(data)}, locked_at = statement_timestamp()
    where ${claimCondition(key)} and holder = ${holder}
    returning key`)
  // Another call took the claim over: this one must not write its effect a second time.
  if (rows.length === 0) throw new Error('the idempotency claim was taken over by another call')
}

export async function markIdempotencyClaimCompleted(
  db: DbConnection,
  key: IdempotencyClaimKey,
  holder: string,
  response: StoredIdempotentResponse,
): Promise<void> {
  await db.query(sql`
    update idempotency_claims
    set response = ${sql.json(response)}, recovery_point = 'finished', locked_at = null
    where ${claimCondition(key)} and holder = ${holder}`)
}

/** After a failure: deletes a claim without a durable effect, and unlocks one that has an effect for the next attempt. */
export async function releaseIdempotencyClaim(
  db: DbConnection,
  key: IdempotencyClaimKey,
  holder: string,
): Promise<void> {
  await db.query(sql`
    delete from idempotency_claims
    where ${claimCondition(key)} and holder = ${holder} and recovery_point in ('claimed', 'refused') and response is null`)
  await db.query(sql`
    update idempotency_claims set locked_at = null where ${claimCondition(key)} and holder = ${holder} and response is null`)
}

/** Extends the lease of the holder. */
export async function renewIdempotencyClaim(db: DbConnection, key: IdempotencyClaimKey, holder: string): Promise<void> {
  await db.query(sql`
    update idempotency_claims set locked_at = statement_timestamp()
    where ${claimCondition(key)} and holder = ${holder} and response is null`)
}

const isAbandoned = sql`response is null and locked_at is not null`
const isExpired = sql`created_at < statement_timestamp() - interval '24 hours'`

const listOrganizationsWithClaims = (unscoped: SqlStatementRunner, condition: Sql): Promise<{ id: string }[]> =>
  unscoped.query<{ id: string }>(sql`select distinct organization_id as id from idempotency_claims where ${condition}`)

/** Releases all claims at the start of the only process of the database: no holder of a claim is alive. */
export async function releaseAbandonedIdempotencyClaims(unscoped: DbConnection): Promise<void> {
  for (const { id } of await listOrganizationsWithClaims(unscoped, isAbandoned))
    await unscoped.query(sql`
      update idempotency_claims set locked_at = null where organization_id = ${id} and ${isAbandoned}`)
}

/** Deletes claims that are older than the replay window; their keys are free again anyway. Returns their number. */
export async function deleteExpiredIdempotencyClaims(unscoped: DbConnection): Promise<number> {
  let count = 0
  for (const { id } of await listOrganizationsWithClaims(unscoped, isExpired)) {
    const rows = await unscoped.query(sql`
      delete from idempotency_claims where organization_id = ${id} and ${isExpired} returning key`)
    count += rows.length
  }
  return count
}
