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

/** The item of an asset that is about to change, locked; 404 when it was deleted meanwhile. */
export async function lockForAssets(tx: Tx, actor: Actor, item_id: string): Promise<LockedItem> {
  const [item] = await lockItems(tx, actor.organization, [item_id])
  if (!item || item.deleted_at !== null) throw missingItem(item_id)
  return item
}

/** The asset of an item that is locked; 404 when it was deleted meanwhile. */
export async function assetOfLocked(tx: Tx, actor: Actor, item_id: string, asset_id: string): Promise<AssetRow> {
  const found = (await assetsOf(tx, actor.organization, item_id)).find((asset) => asset.id === asset_id)
  if (!found) throw new Problem('not-found', `No asset of the item has the id "${asset_id}".`)
  return found
}

/**
 * Tells anew what the Feature of an item says of its assets, in the transaction in which one of them came, changed or
 * went. Whoever writes assets of an item that is there already calls it: `lockForAssets` before, this after. Throws
 * `validation` where more is said of the item then than may be.
 */
export async function describeAssets(tx: Tx, actor: ItemWriter, item: LockedItem): Promise<void> {
  const stac_assets = stacAssetsOf(await assetsOf(tx, actor.organization, item.id))
  if (isDeepStrictEqual(stac_assets, item.stac_assets)) return
  const stac_extensions = extensionsOf(item.stac_extensions, stacProperties(item), stac_assets)
  const now = actor.clock.now()
  const after = await setStacAssets(tx, actor.organization, item.id, { stac_assets, stac_extensions }, now)
  checkMetadata(actor, item.metadata_bytes, after)
}
