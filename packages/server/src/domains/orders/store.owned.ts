import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface OwnedCaptureRow {
  readonly host: string
  readonly scene_id: string
  readonly licence: string
  readonly geometry: AreaGeometry
}

/** Delivered captures of the scenes whose items exist in one of the projects. */
export async function listOwnedCaptures(
  db: SqlStatementRunner,
  organization: string,
  { scene_ids, projects }: { readonly scene_ids: readonly string[]; readonly projects: readonly string[] },
): Promise<OwnedCaptureRow[]> {
  return db.query<OwnedCaptureRow>(sql`
    select capture.host, capture.scene_id, capture.licence, capture.geometry
    from order_captures capture
    join items item on item.organization_id = capture.organization_id and item.id = capture.item_id
    where capture.organization_id = ${organization} and capture.scene_id = any(${scene_ids}::text[])
      and capture.delivered_at is not null and item.deleted_at is null and item.lifecycle_state <> 'expired'
      and item.project_id = any(${projects}::uuid[])`)
}
