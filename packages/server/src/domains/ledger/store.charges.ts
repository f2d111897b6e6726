import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The id of the newest hold for a reference; null if there is none. */
export async function selectLatestHoldId(
  db: Queryable,
  organization: string,
  type: string,
  id: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from credit_holds
    where organization_id = ${organization} and reference_type = ${type} and reference_id = ${id}
    order by created_at desc, id desc limit 1`)
  return row?.id ?? null
}

/** A hold that is neither settled nor released. */
export interface OpenHoldRow {
  readonly id: string
  readonly reference_id: string
  readonly amount_credits: number
}

/** Unresolved holds with this reference type that were created before a time, oldest first; none of an existing job. */
export async function listOpenHolds(
  db: Queryable,
  {
    organization,
    type,
    before,
    limit,
  }: {
    readonly organization: string
    readonly type: string
    readonly before: OrganizationTime
    readonly limit: number
  },
): Promise<OpenHoldRow[]> {
  return db.query(sql`
    select h.id, h.reference_id, h.amount_credits from credit_holds h
    left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
    where h.organization_id = ${organization} and h.reference_type = ${type} and h.created_at < ${before}
      and r.hold_id is null
      and not exists (
        select from processing_jobs j
        where h.reference_type = 'job' and j.organization_id = h.organization_id and j.id::text = h.reference_id)
    order by h.created_at, h.id limit ${limit}`)
}
