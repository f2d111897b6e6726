import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** True if the asset exists at the path, and its item is neither deleted nor expired. */
export async function isDownloadable(
  db: SqlStatementRunner,
  {
    organization,
    id,
    path,
    now,
  }: { readonly organization: string; readonly id: string; readonly path: string; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from assets a
    join items i on i.organization_id = a.organization_id and i.id = a.item_id
    where a.organization_id = ${organization} and a.id = ${id} and a.blob_path = ${path} and a.deleted_at is null
      and i.deleted_at is null and i.lifecycle_state <> 'expired'
      and (i.expires_at is null or i.expires_at > ${now})`)
  return rows.length > 0
}
