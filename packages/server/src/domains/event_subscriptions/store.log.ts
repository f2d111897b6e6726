import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { DueRows } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'

/** Deletes the oldest deliveries that ended before a time, at most `limit`; returns how many. */
export async function deleteOldDeliveries(
  db: Queryable,
  organization: string,
  before: OrganizationTime,
  limit: number,
): Promise<number> {
  const rows = await db.query(sql`
    delete from event_deliveries
    where organization_id = ${organization} and id in (
      select id from event_deliveries
      where organization_id = ${organization} and finished_at <= ${before}
      order by finished_at
      limit ${limit})
    returning id`)
  return rows.length
}

/** When deliveries that ended are deleted from the log. */
export const dueLogRows = (organization: string, kept_ms: number): DueRows => ({
  from: sql`event_deliveries`,
  where: sql`organization_id = ${organization}`,
  at: sql`finished_at`,
  delay_ms: kept_ms,
})

/** A day that has no partition yet has its attempts in the default partition until the next call. */
const days_ahead = 3

/** Creates the partitions of the log of attempts for today and the next days; returns how many. */
export async function createAttemptDays(unscoped: Queryable): Promise<number> {
  const [row] = await unscoped.query<{ created: number }>(
    sql`select swath_create_attempt_days(${days_ahead}::integer) as created`,
  )
  return row!.created
}

/** Drops the partitions of days that ended more than so many days ago; returns how many. */
export async function dropAttemptDays(unscoped: Queryable, kept_days: number): Promise<number> {
  const [row] = await unscoped.query<{ dropped: number }>(
    sql`select swath_drop_attempt_days(${kept_days}::integer) as dropped`,
  )
  return row!.dropped
}
