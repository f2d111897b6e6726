import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { assetRow, countBytes, type AddedAsset } from './add-item.ts'
import { announceItem } from './announce.ts'
import { describeAssets, lockForAssets } from './asset-change.ts'
import type { ItemWriter } from './metadata-limit.ts'
import { assetsOf, insertAssets } from './store.assets.ts'

/**
 * Adds an asset to an existing item in one transaction: the row, its stored bytes, the Feature of the item and the event
 * `item.updated`. Checks neither permissions nor the storage quota. Throws `not-found` for a deleted item, `name-taken`
 * if the key exists, `validation` if the metadata exceeds the limit.
 */
export async function attachAsset(tx: Tx, actor: ItemWriter, item_id: string, asset: AddedAsset): Promise<void> {
  const item = await lockForAssets(tx, actor, item_id)
  const there = await assetsOf(tx, actor.organization, item_id)
  if (there.some(({ key }) => key === asset.key)) {
    throw new Problem('name-taken', `The item already has an asset with the key "${asset.key}".`)
  }
  const row = assetRow(item_id, asset)
  await insertAssets(tx, actor.organization, [row], actor.clock.now())
  await countBytes(tx, actor, [row])
  await describeAssets(tx, actor, item)
  await announceItem(tx, actor, 'item.updated', item, { asset_id: asset.id, asset_key: asset.key })
}
