import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireCollectionInProject } from '../collections/access.ts'
import { isItemExpired } from '../items/access.ts'
import { addItem, type ItemToAdd } from '../items/add-item.ts'
import { lockItemForAssetChange } from '../items/assets/asset-change.ts'
import { lockOpenProject } from '../projects/access.ts'
import { attachToItem } from './attach-to-item.ts'
import { lockCurrentAttempt, type IngestAttempt } from './attempt.ts'
import { lockFreeStorage, storageQuotaExceeded } from './reservation.ts'
import { updateUpload, type UploadRow } from './store.ts'
import { markFileIngested, type UploadFileRow } from './store.files.ts'

/**
 * Writes the result of a file in one transaction: the new item, or the assets of the target item, the stored bytes in place
 * of reserved ones, and the status of the file. Throws `quota-storage`, `not-found`, `gone-retention`, `invalid-state` for
 * a deleted target, `name-taken`; `AttemptSuperseded`.
 */
export const commitFile = (attempt: IngestAttempt, file: UploadFileRow, item: ItemToAdd): Promise<void> =>
  attempt.db.transaction(async (tx) => {
    const { actor } = attempt
    const row = await lockCurrentAttempt(tx, attempt)
    await lockOpenProject(tx, actor, row.project_id)
    await lockTarget(tx, attempt, row)
    const bytes = (item.assets ?? []).reduce((sum, asset) => sum + (asset.file_size_bytes ?? 0), 0)
    const available_bytes = row.reserved_bytes + (await lockFreeStorage(tx, actor.organization))
    if (bytes > available_bytes) throw storageQuotaExceeded(bytes, available_bytes)
    const item_id = row.target_item_id ?? item.id
    if (row.target_item_id === null) await addItem(tx, actor, item)
    else await attachToItem(tx, actor, { session: row, item_id, assets: item.assets ?? [] })
    await markFileIngested(tx, actor.organization, file.id, [item_id])
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
