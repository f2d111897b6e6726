import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'

/** An item of a collection that is a mosaic of an area. */
export interface MosaicRow {
  readonly area: string
  readonly title: string
  readonly description: string | null
  readonly project_id: string
  readonly mosaic_type: string
  readonly item_id: string
  readonly item_name: string
  readonly bbox: number[] | null
  readonly datetime: Date | null
  readonly gsd: number | null
}

/**
 * The newest mosaic of each type of each area, or of one: an area is a collection whose items have the property
 * `mosaic_type`.
 */
export async function listMosaics(
  db: SqlStatementRunner,
  organization: string,
  area: string | null,
): Promise<MosaicRow[]> {
  return db.query<MosaicRow>(sql`
    select distinct on (c.name, c.id, i.properties ->> 'mosaic_type')
      c.id as area, c.name as title, c.description, c.project_id, i.properties ->> 'mosaic_type' as mosaic_type,
      i.id as item_id, i.name as item_name, i.bbox, i.datetime, i.gsd
    from collections c
    join items i on i.organization_id = c.organization_id and i.collection_id = c.id and i.deleted_at is null
      and i.lifecycle_state <> 'expired' and jsonb_typeof(i.properties -> 'mosaic_type') = 'string'
    where c.organization_id = ${organization} and c.deleted_at is null
      and (${area}::text is null or c.id::text = ${area})
    order by c.name, c.id, i.properties ->> 'mosaic_type', i.datetime desc nulls last, i.id desc`)
}

export interface ClipDownload {
  readonly at: OrganizationTime
  readonly mosaic_type: string
  readonly actor: string
  readonly user_agent: string | null
  readonly requester_ip: string | null
}

export async function insertClipDownload(
  db: SqlStatementRunner,
  organization: string,
  job: string,
  download: ClipDownload,
): Promise<void> {
  await db.query(sql`
    insert into clip_downloads (organization_id, job_id, id, at, mosaic_type, actor, user_agent, requester_ip)
    values (${organization}, ${job}, ${newId()}, ${download.at}, ${download.mosaic_type}, ${download.actor},
            ${download.user_agent}, ${download.requester_ip})`)
}

/** The newest downloads of a job. */
export const listClipDownloads = (
  db: SqlStatementRunner,
  organization: string,
  job: string,
  limit: number,
): Promise<RowPage<Omit<ClipDownload, 'at'> & { readonly at: Date }>> =>
  selectPage(db, {
    columns: sql`at, mosaic_type, actor, user_agent, requester_ip`,
    from: sql`clip_downloads`,
    where: sql`organization_id = ${organization} and job_id = ${job}`,
    orderBy: sql`id desc`,
    limit,
  })
