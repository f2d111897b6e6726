import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { checkStanding, requireProject } from '../projects/access.ts'
import { findItemStanding } from './store.access.ts'
import type { ItemRow } from './store.ts'
import { assetsOf, findAsset, type AssetRow } from './store.assets.ts'

export const missingItem = (id: string): Problem => new Problem('not-found', `No item has the id "${id}".`)

export interface ItemAccess {
  /** Lineage and administration look at items whose retention has ended, too. */
  readonly allowExpired?: boolean
}

/**
 * The item, when the caller may do what it needs in the item's project. 404 `not-found` for deleted ones and those of
 * another organization, 403 `not-a-member`, 410 `gone-retention` once its retention has ended.
 */
export async function requireItem(
  call: Call,
  item_id: string,
  need: 'read' | 'write',
  access: ItemAccess = {},
): Promise<ItemRow> {
  const found = await findItemStanding(call.db, call.organization, item_id, call.principal.user)
  if (!found || found.item.deleted_at !== null || !opens(call, found.item)) throw missingItem(item_id)
  const { item, standing } = found
  if (need === 'read') checkStanding(call, standing, need)
  else await requireProject(call, item.project_id, need)
  if (hasExpired(item, call.clock.now(call.organization)) && !access.allowExpired) {
    throw new Problem('gone-retention', `The retention of the item "${item_id}" has ended.`)
  }
  return item
}

/** True from the moment at which the retention ends, whether a sweep has come by or not. */
export const hasExpired = (item: Pick<ItemRow, 'lifecycle_state' | 'expires_at'>, now: Date): boolean =>
  item.lifecycle_state === 'expired' || (item.expires_at !== null && item.expires_at <= now)

/** A token of a map opens its own item, or the items of its collection, and nothing else. */
function opens({ principal: { confined } }: Call, item: ItemRow): boolean {
  if (!confined) return true
  return 'item' in confined ? confined.item === item.id : confined.collection === item.collection_id
}

/** The asset of an item that was found by `requireItem`. */
export async function requireAsset(call: Call, item: ItemRow, asset_id: string): Promise<AssetRow> {
  const asset = await findAsset(call.db, call.organization, item.id, asset_id)
  if (!asset) throw new Problem('not-found', `No asset of the item has the id "${asset_id}".`)
  return asset
}

/** True for an asset that can be drawn. */
export const isRaster = (asset: AssetRow): boolean => asset.ready && asset.raster !== null

/** The asset that is drawn: the one with the key, else the first raster by key, of those with the role `data` if any has it. */
export const requireRasterAsset = async (call: Call, item: ItemRow, key: string | null): Promise<AssetRow> =>
  chooseRasterAsset(await assetsOf(call.db, call.organization, item.id), key)

/** The same among the assets of an item. */
export function chooseRasterAsset(assets: readonly AssetRow[], key: string | null): AssetRow {
  if (key !== null) {
    const named = assets.find((asset) => asset.key === key)
    if (!named) throw new Problem('not-found', `The item has no asset with the key "${key}".`)
    if (!isRaster(named)) throw new Problem('unsupported-raster', `The asset "${key}" is no raster that can be drawn.`)
    return named
  }
  const rasters = assets.filter(isRaster)
  const found = rasters.find((asset) => asset.roles.includes('data')) ?? rasters[0]
  if (!found) {
    const features = assets.some(({ media_type }) => media_type === 'application/geo+json')
    const hint = features ? ' It holds features: `items.tile.vector` has their tiles.' : ''
    throw new Problem('unsupported-raster', `The item has no raster that can be drawn.${hint}`)
  }
  return found
}
