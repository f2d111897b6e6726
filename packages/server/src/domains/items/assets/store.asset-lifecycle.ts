import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { publishItemAccessChange } from '../../../platform/database/item-access.ts'
import { sql } from '../../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../../platform/database/statements/values-list.ts'

export interface DeletedAsset {
  readonly id: string
  readonly blob_path: string | null
}

/** Marks assets, or all assets of items, deleted and clears their metadata; returns those that existed. */
export function markAssetsDeleted(
  tx: Tx,
  organization: string,
  selection: { readonly items: readonly string[] } | { readonly assets: readonly string[] },
  now: OrganizationTime,
): Promise<DeletedAsset[]> {
  publishItemAccessChange(tx, organization)
  const where =
    'items' in selection ? sql`item_id = any(${selection.items}::uuid[])` : sql`id = any(${selection.assets}::uuid[])`
  return tx.query<DeletedAsset>(sql`
    update assets set deleted_at = ${now}, updated_at = ${now}, ready = false, stac = '{}'
    where organization_id = ${organization} and ${where} and deleted_at is null
    returning id, blob_path`)
}

export async function updateBandNames(
  tx: Tx,
  {
    organization,
    id,
    band_names,
    now,
  }: {
    readonly organization: string
    readonly id: string
    readonly band_names: readonly string[]
    readonly now: OrganizationTime
  },
): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`
    update assets set band_names = ${band_names}::text[], updated_at = ${now}
    where organization_id = ${organization} and id = ${id}`)
}

/** The entity that reads an asset, such as a `processing_job`. */
export interface AssetReadingEntity {
  readonly type: string
  readonly id: string
}

export async function insertAssetReaders(
  tx: Tx,
  {
    organization,
    reader,
    assets,
    now,
  }: {
    readonly organization: string
    readonly reader: AssetReadingEntity
    readonly assets: readonly string[]
    readonly now: OrganizationTime
  },
): Promise<void> {
  for (const batch of splitIntoBatches(assets))
    await tx.query(sql`
      insert into asset_readers (organization_id, asset_id, reader_type, reader_id, created_at)
      values ${buildValuesList(batch, (asset_id) => sql`(${organization}, ${asset_id}, ${reader.type}, ${reader.id}, ${now})`)}
      on conflict do nothing`)
}

export async function deleteAssetReaders(tx: Tx, organization: string, reader: AssetReadingEntity): Promise<void> {
  await tx.query(sql`
    delete from asset_readers
    where organization_id = ${organization} and reader_type = ${reader.type} and reader_id = ${reader.id}`)
}

/** Locks the existing ones of the assets against deletion; returns their ids. */
export async function lockAssets(tx: Tx, organization: string, assets: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select a.id from assets a
    where a.organization_id = ${organization} and a.id = any(${assets}::uuid[]) and a.deleted_at is null
    order by a.id for share of a`)
  return rows.map((row) => row.id)
}

export async function countAssetReaders(
  db: SqlStatementRunner,
  organization: string,
  asset_id: string,
): Promise<number> {
  const [row] = await db.query<{ readers: number }>(sql`
    select count(*) as readers from asset_readers where organization_id = ${organization} and asset_id = ${asset_id}`)
  return row?.readers ?? 0
}
