import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { missingItem } from './access.ts'
import { checkMetadata, type ItemWriter } from './metadata-limit.ts'
import { stacAssetsOf } from './stac-asset.ts'
import { extensionsOf } from './stac-extensions.ts'
import { stacProperties } from './stac-feature.ts'
import { assetsOf, type AssetRow } from './store.assets.ts'
import { lockItems, setStacAssets, type LockedItem } from './store.life.ts'

/** Locks the item of an asset that is about to change. Throws `not-found` if it was deleted concurrently. */
export async function lockForAssets(tx: Tx, actor: Actor, item_id: string): Promise<LockedItem> {
  const [item] = await lockItems(tx, actor.organization, [item_id])
  if (!item || item.deleted_at !== null) throw missingItem(item_id)
  return item
}

/** The asset of a locked item. Throws `not-found` if it was deleted concurrently. */
export async function assetOfLocked(tx: Tx, actor: Actor, item_id: string, asset_id: string): Promise<AssetRow> {
  const found = (await assetsOf(tx, actor.organization, item_id)).find((asset) => asset.id === asset_id)
  if (!found) throw new Problem('not-found', `No asset of the item has the id "${asset_id}".`)
  return found
}

/**
 * Updates the assets in the stored Feature of an item, in the transaction that added, changed or deleted an asset. Every
 * change of assets calls `lockItemForAssetChange` before and this after. Throws `validation` if the metadata exceeds the
 * limit.
 */
export async function describeAssets(tx: Tx, actor: ItemWriter, item: LockedItem): Promise<void> {
  const stac_assets = stacAssetsOf(await assetsOf(tx, actor.organization, item.id))
  if (isDeepStrictEqual(stac_assets, item.stac_assets)) return
  const stac_extensions = extensionsOf(item.stac_extensions, stacProperties(item), stac_assets)
  const now = actor.clock.now()
  const after = await setStacAssets(tx, actor.organization, item.id, { stac_assets, stac_extensions }, now)
  checkMetadata(actor, item.metadata_bytes, after)
}
