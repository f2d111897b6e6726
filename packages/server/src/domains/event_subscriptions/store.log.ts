import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Deletes the oldest deliveries that ended before a time, with their attempts, at most `limit`; returns how many. */
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

/** When the oldest delivery that ended after a time ended; null if there is none. */
export async function findNextFinished(
  db: Queryable,
  organization: string,
  after: OrganizationTime,
): Promise<Date | null> {
  const [row] = await db.query<{ finished_at: Date | null }>(sql`
    select min(finished_at) as finished_at from event_deliveries
    where organization_id = ${organization} and finished_at > ${after}`)
  return row?.finished_at ?? null
}
