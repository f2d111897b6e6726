import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { itemNotFound } from '../access.ts'
import { requireMetadataWithinLimit, type ItemMetadataWriter } from '../metadata-limit.ts'
import { toStacAssets } from '../stac/stac-asset.ts'
import { resolveStacExtensions } from '../stac/stac-extensions.ts'
import { toStacProperties } from '../stac/stac-feature.ts'
import { findAssetsOfItem, type AssetRow } from './store.assets.ts'
import { lockItems, updateStacAssetRows, type LockedItem } from '../store.item-lifecycle.ts'

/** Locks the item of an asset that is about to change. Throws `not-found` if it was deleted concurrently. */
export async function lockItemForAssetChange(tx: Tx, actor: Actor, item_id: string): Promise<LockedItem> {
  const [item] = await lockItems(tx, actor.organization, [item_id])
  if (!item || item.deleted_at !== null) throw itemNotFound(item_id)
  return item
}

/** The asset of a locked item. Throws `not-found` if it was deleted concurrently. */
export async function requireAssetOfLockedItem(
  tx: Tx,
  actor: Actor,
  item_id: string,
  asset_id: string,
): Promise<AssetRow> {
  const lockedAsset = (await findAssetsOfItem(tx, actor.organization, item_id)).find((asset) => asset.id === asset_id)
  if (!lockedAsset) throw new Problem('not-found', `No asset of the item has the id "${asset_id}".`)
  return lockedAsset
}

/**
 * Updates the assets in the stored Feature of an item, in the transaction that added, changed or deleted an asset. Every
 * change of assets calls `lockItemForAssetChange` before and this after. Throws `validation` if the metadata exceeds the
 * limit.
 */
export async function updateStacAssets(tx: Tx, actor: ItemMetadataWriter, item: LockedItem): Promise<void> {
  const stac_assets = toStacAssets(await findAssetsOfItem(tx, actor.organization, item.id))
  if (isDeepStrictEqual(stac_assets, item.stac_assets)) return
  const stac_extensions = resolveStacExtensions(item.stac_extensions, toStacProperties(item), stac_assets)
  const now = actor.clock.now()
  const after = await updateStacAssetRows(tx, {
    organization: actor.organization,
    id: item.id,
    stacFields: { stac_assets, stac_extensions },
    now,
  })
  requireMetadataWithinLimit(actor, item.metadata_bytes, after)
}
