import type { DbConnection } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** The same number as in the database function. */
const slots_per_window = 20

export const computeRateLimitSlot_ms = (window_ms: number): number => Math.ceil(window_ms / slots_per_window)

/** A request to count units in a bucket. */
export interface RateLimitRequest {
  readonly bucket: string
  /** Null counts without a limit. */
  readonly max: number | null
  readonly slot_ms: number
  readonly needed: number
  /** Additional units for the rest of the slot. */
  readonly spare: number
  readonly returned: number
  readonly returned_slot: number
}

/** The granted units, and the state of the bucket afterwards. */
export interface RateLimitGrant {
  readonly granted: number
  readonly used: number
  readonly current_slot: number
  readonly slot_ends_ms: number
  /** Until the oldest counted units leave the window. */
  readonly frees_ms: number
}

/** Counts in one statement, atomically across processes; `at` null uses the database clock. */
export async function takeRateLimitUnits(
  db: DbConnection,
  request: RateLimitRequest,
  at: Date | null,
): Promise<RateLimitGrant> {
  const { bucket, max, slot_ms, needed, spare, returned, returned_slot } = request
  const [grant] = await db.query<RateLimitGrant>(
    sql.prepared(sql`
    select granted, used, current_slot, slot_ends_ms, frees_ms
    from take_rate_limit_units(${bucket}, ${max}::integer, ${slot_ms}::integer, ${needed}::integer, ${spare}::integer,
                               ${returned}::integer, ${returned_slot}::bigint, ${at}::timestamptz)`),
  )
  return grant!
}

/** Units that were counted in a slot and not used. */
export interface UnusedRateLimitUnits {
  readonly bucket: string
  readonly slot_ms: number
  readonly units: number
  readonly slot: number
}

/** Returns units in one statement, ordered by bucket name, so that two processes never deadlock. */
export async function releaseRateLimitUnits(
  db: DbConnection,
  returns: readonly UnusedRateLimitUnits[],
  at: Date | null,
): Promise<void> {
  await db.query(sql`
    select taken.used
    from (
      select * from jsonb_to_recordset(${sql.json(returns)}::jsonb)
        as given (bucket text, slot_ms integer, units integer, slot bigint)
      order by bucket collate "C") given,
      lateral take_rate_limit_units(given.bucket, null, given.slot_ms, 0, 0, given.units, given.slot,
                                    ${at}::timestamptz) as taken`)
}

/** True if a bucket has units that are in its window; writes nothing. */
export async function hasUnexpiredRateLimitCounts(db: DbConnection, bucket: string, at: Date | null): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from rate_limit_counts
    where bucket = ${bucket} and expires_at >= coalesce(${at}::timestamptz, clock_timestamp())`)
  return rows.length > 0
}

/** Deletes expired rows; skips those that are locked at this moment. */
export async function deleteExpiredRateLimitCounts(db: DbConnection, at: Date | null): Promise<void> {
  await db.query(sql`
    delete from rate_limit_counts where bucket in (
      select bucket from rate_limit_counts
      where expires_at < coalesce(${at}::timestamptz, clock_timestamp())
      limit 10000
      for update skip locked)`)
}
