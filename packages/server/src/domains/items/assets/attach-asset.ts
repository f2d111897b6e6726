import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { toNewAsset, recordAssetBytes, type AssetToAdd } from '../add-item.ts'
import { emitItemEvent } from '../item-events.ts'
import { updateStacAssets, lockItemForAssetChange } from './asset-change.ts'
import type { ItemMetadataWriter } from '../metadata-limit.ts'
import { findAssetsOfItem, insertAssets } from './store.assets.ts'

/**
 * Adds an asset to an existing item in one transaction: the row, its stored bytes, the Feature of the item and the event
 * `item.updated`. Checks neither permissions nor the storage quota. Throws `not-found` for a deleted item, `name-taken`
 * if the key exists, `validation` if the metadata exceeds the limit.
 */
export async function attachAsset(
  tx: Tx,
  actor: ItemMetadataWriter,
  item_id: string,
  asset: AssetToAdd,
): Promise<void> {
  const item = await lockItemForAssetChange(tx, actor, item_id)
  const existing = await findAssetsOfItem(tx, actor.organization, item_id)
  if (existing.some(({ key }) => key === asset.key)) {
    throw new Problem('name-taken', `The item already has an asset with the key "${asset.key}".`)
  }
  const row = toNewAsset(item_id, asset)
  await insertAssets(tx, actor.organization, [row], actor.clock.now())
  await recordAssetBytes(tx, actor, [row])
  await updateStacAssets(tx, actor, item)
  await emitItemEvent(tx, actor, {
    kind: 'item.updated',
    item,
    extraData: { asset_id: asset.id, asset_key: asset.key },
  })
}
