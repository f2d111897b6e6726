import { max_notes } from '../vectors/read/convert-to-geojson.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireCollectionInProject } from '../collections/access.ts'
import { isItemExpired } from '../items/access.ts'
import { type AssetToAdd, type ItemToAdd, addItem } from '../items/add-item.ts'
import { lockItemForAssetChange } from '../items/assets/asset-change.ts'
import { lockOpenProject } from '../projects/access.ts'
import { type IngestAttempt, lockCurrentIngestAttempt } from './attempt.ts'
import { lockRemainingStorage, storageQuotaExceeded } from './reservation.ts'
import { type UploadRow, updateUpload } from './store.ts'
import { type UploadFileRow, markUploadFileIngested } from './store.files.ts'
import { attachAsset } from '../items/assets/attach-asset.ts'
import type { ItemMetadataWriter } from '../items/metadata-limit.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'

/**
 * Adds the assets of a file to the target item of the session: under the asset key of the session, else the first free one
 * of `data`, `data_2`, … Throws `not-found` if the item was deleted, `gone-retention`, `name-taken`.
 */
async function attachToItem(
  tx: Tx,
  actor: ItemMetadataWriter,
  {
    session,
    item_id,
    assets,
  }: { readonly session: UploadRow; readonly item_id: string; readonly assets: readonly AssetToAdd[] },
): Promise<void> {
  const takenKeys = new Set((await findAssetsOfItem(tx, actor.organization, item_id)).map(({ key }) => key))
  for (const asset of assets) {
    const key = session.asset_key ?? findFreeAssetKey(takenKeys, asset.key)
    await attachAsset(tx, actor, item_id, { ...asset, key })
    takenKeys.add(key)
  }
  const [src, dst] = [
    { type: 'item', id: item_id },
    { type: 'upload', id: session.id },
  ]
  await recordProvenance(tx, actor, [{ relation: 'uploaded_by', src, dst }])
}

function findFreeAssetKey(takenKeys: ReadonlySet<string>, preferredKey: string): string {
  for (let number = 1; number <= 10_000; number++) {
    const key = number === 1 ? preferredKey : `${preferredKey}_${number}`
    if (!takenKeys.has(key)) return key
  }
  throw new Problem('name-taken', 'The item has too many assets.')
}

/**
 * Writes the result of a file in one transaction: the new item, or the assets of the target item, the stored bytes in place
 * of reserved ones, and the status of the file. Throws `quota-storage`, `not-found`, `gone-retention`, `invalid-state` for
 * a deleted target, `name-taken`; `IngestAttemptSuperseded`.
 */
export const commitUploadedFile = (
  attempt: IngestAttempt,
  file: UploadFileRow,
  item: ItemToAdd,
  notes: readonly string[] = [],
): Promise<void> =>
  attempt.db.transaction(async (tx) => {
    const { actor } = attempt
    const row = await lockCurrentIngestAttempt(tx, attempt)
    await lockOpenProject(tx, actor, row.project_id)
    await lockTarget(tx, attempt, row)
    const bytes = (item.assets ?? []).reduce((sum, asset) => sum + (asset.file_size_bytes ?? 0), 0)
    const available_bytes = row.reserved_bytes + (await lockRemainingStorage(tx, actor.organization))
    if (bytes > available_bytes) throw storageQuotaExceeded(bytes, available_bytes)
    const item_id = row.target_item_id ?? item.id
    if (row.target_item_id === null) await addItem(tx, actor, item)
    else await attachToItem(tx, actor, { session: row, item_id, assets: item.assets ?? [] })
    await markUploadFileIngested(tx, actor.organization, file.id, {
      item_ids: [item_id],
      notes: notes.slice(0, max_notes),
    })
    await updateUpload(tx, {
      ...row,
      reserved_bytes: Math.max(0, row.reserved_bytes - bytes),
      updated_at: actor.clock.now(),
    })
  })

/** Locks the target before the storage journal, in the same order as all other transactions. */
async function lockTarget(tx: Tx, { actor }: IngestAttempt, row: UploadRow): Promise<void> {
  if (row.target_collection_id !== null)
    await requireCollectionInProject(tx, {
      organization: actor.organization,
      id: row.target_collection_id,
      project_id: row.project_id,
      lock: true,
    })
  if (row.target_item_id === null) return
  const item = await lockItemForAssetChange(tx, actor, row.target_item_id)
  if (isItemExpired(item, actor.clock.now()))
    throw new Problem('gone-retention', `The retention of the item "${item.id}" has ended.`)
}
