import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface CollectionItemsQuery {
  readonly collection: string
  readonly now: OrganizationTime
  readonly from: Date | null
  readonly to: Date | null
  readonly limit: number
}

/** The ids of the newest visible items of a collection that begin in the interval and have a raster, newest first. */
export async function listItemsOfCollection(
  db: SqlStatementRunner,
  organization: string,
  { collection, now, from, to, limit }: CollectionItemsQuery,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select i.id from items i
    where i.organization_id = ${organization} and i.collection_id = ${collection} and i.deleted_at is null
      and i.lifecycle_state <> 'expired' and (i.expires_at is null or i.expires_at > ${now})
      and (${from}::timestamptz is null or i.covers_from >= ${from}::timestamptz)
      and (${to}::timestamptz is null or i.covers_from <= ${to}::timestamptz)
      and exists (
        select 1 from assets a
        where a.organization_id = i.organization_id and a.item_id = i.id and a.deleted_at is null
          and a.raster is not null)
    order by i.covers_from desc, i.id desc
    limit ${limit}`)
  return rows.map(({ id }) => id)
}
