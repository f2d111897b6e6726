import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Counts one view; false if the view cap is reached. */
export async function updateShareViewCount(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await db.query(sql`
    update share_links set views = views + 1, last_accessed_at = ${now}
    where organization_id = ${organization} and id = ${id} and (view_cap is null or views < view_cap)
    returning id`)
  return rows.length > 0
}

export async function updateShareDownloadCount(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<void> {
  await db.query(sql`
    update share_links set downloads = downloads + 1, last_accessed_at = ${now}
    where organization_id = ${organization} and id = ${id}`)
}

/** Counts tiles that are free of charge. */
export async function updateFreeShareTileCount(
  db: SqlStatementRunner,
  {
    organization,
    id,
    tiles,
    now,
  }: { readonly organization: string; readonly id: string; readonly tiles: number; readonly now: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update share_links set tiles = tiles + ${tiles}, paid_tiles = greatest(paid_tiles, tiles + ${tiles}),
                           last_accessed_at = greatest(last_accessed_at, ${now})
    where organization_id = ${organization} and id = ${id}`)
}

/** Counts one tile that is paid for already; false if the next block has to be paid first. */
export async function claimPaidShareTile(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await db.query(sql`
    update share_links set tiles = tiles + 1, last_accessed_at = ${now}
    where organization_id = ${organization} and id = ${id} and tiles < paid_tiles
    returning id`)
  return rows.length > 0
}

/** Records a paid block of tiles and counts the first; false if another request has just paid. */
export async function updatePaidShareTiles(
  tx: Tx,
  {
    organization,
    id,
    paid,
    now,
  }: {
    readonly organization: string
    readonly id: string
    readonly paid: { tiles: number; credits: number }
    readonly now: OrganizationTime
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update share_links
    set paid_tiles = paid_tiles + ${paid.tiles}, tiles = tiles + 1, cost_credits = cost_credits + ${paid.credits},
        last_accessed_at = ${now}
    where organization_id = ${organization} and id = ${id} and tiles >= paid_tiles
    returning id`)
  return rows.length > 0
}
