import { renderableItemsServiceKey } from './renderable-items.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { requireProjectRoleFor, requireProject } from '../projects/access.ts'
import { findRenderableItem, findItemWithRoles, type ItemAccessFields } from './store.access.ts'
import type { ItemRow } from './store.ts'
import { findAssetsOfItem, findAsset, type AssetRow } from './assets/store.assets.ts'

export const itemNotFound = (id: string): Problem => new Problem('not-found', `No item has the id "${id}".`)

export interface ItemAccessOptions {
  /** Also returns expired items, for lineage and administration. */
  readonly allowExpired?: boolean
}

/**
 * The item, if the caller has the permission in its project. Throws `not-found` for deleted items and those of another
 * organization, `not-a-member`, and `gone-retention` after the retention has ended.
 */
export async function requireItem(
  call: Call,
  item_id: string,
  permission: 'read' | 'write',
  options: ItemAccessOptions = {},
): Promise<ItemRow> {
  const found = await findItemWithRoles(call.db, call.organization, item_id, call.principal.user)
  if (!found || !isVisibleToCaller(call, found.item)) throw itemNotFound(item_id)
  const { item, roles } = found
  if (permission === 'read') requireProjectRoleFor(call, roles, permission)
  else await requireProject(call, item.project_id, permission)
  if (!options.allowExpired) requireUnexpiredItem(call, item)
  return item
}

/** The part of an item that rendering a tile needs. */
export interface ItemWithAssets extends Pick<ItemRow, 'id'> {
  readonly assets: readonly AssetRow[]
}

/**
 * Like `requireItem` for reading, with the assets in one statement whose result is cached for a second unless something
 * changes, because every tile request calls it.
 */
export async function requireRenderableItem(call: Call, item_id: string): Promise<ItemWithAssets> {
  const { organization, principal } = call
  const found = await call.processServices
    .get(renderableItemsServiceKey)
    .read(organization, `${item_id} ${principal.user}`, () =>
      findRenderableItem(call.db, organization, item_id, principal.user),
    )
  if (!found || !isVisibleToCaller(call, found.item)) throw itemNotFound(item_id)
  requireProjectRoleFor(call, found.roles, 'read')
  requireUnexpiredItem(call, found.item)
  return { id: found.item.id, assets: found.assets }
}

/** Throws `gone-retention` if the retention of the item has ended. */
export function requireUnexpiredItem(
  call: Call,
  item: Pick<ItemAccessFields, 'id' | 'lifecycle_state' | 'expires_at'>,
): void {
  if (!isItemExpired(item, call.clock.now())) return
  throw new Problem('gone-retention', `The retention of the item "${item.id}" has ended.`)
}

/** True from the time at which the retention ends, whether or not a sweep has marked the item. */
export const isItemExpired = (item: Pick<ItemRow, 'lifecycle_state' | 'expires_at'>, now: OrganizationTime): boolean =>
  item.lifecycle_state === 'expired' || (item.expires_at !== null && item.expires_at <= now)

/** Not deleted; a tile token is restricted to its item or to the items of its collection. */
function isVisibleToCaller({ principal: { restriction } }: Call, item: ItemAccessFields): boolean {
  if (item.deleted_at !== null) return false
  if (!restriction) return true
  return 'item' in restriction ? restriction.item === item.id : restriction.collection === item.collection_id
}

/** An asset of an item returned by `requireItem`. */
export async function requireAsset(call: Call, item: ItemRow, asset_id: string): Promise<AssetRow> {
  const asset = await findAsset(call.db, call.organization, item.id, asset_id)
  if (!asset) throw new Problem('not-found', `No asset of the item has the id "${asset_id}".`)
  return asset
}

/** True for an asset that can be rendered. */
export const isRenderable = (asset: AssetRow): boolean =>
  (asset.ready || asset.external_href !== null) && asset.raster !== null

/** The asset to render: the one with the key, else the first raster by key, preferring the role `data`. */
export const requireRasterAsset = async (call: Call, item: ItemRow, key: string | null): Promise<AssetRow> =>
  chooseRasterAsset(await findAssetsOfItem(call.db, call.organization, item.id), key)

/** The same among these assets of an item. */
export function chooseRasterAsset(assets: readonly AssetRow[], key: string | null): AssetRow {
  if (key !== null) {
    const named = assets.find((asset) => asset.key === key)
    if (!named) throw new Problem('not-found', `The item has no asset with the key "${key}".`)
    if (!isRenderable(named))
      throw new Problem('unsupported-raster', `The asset "${key}" is not a raster that can be rendered.`)
    return named
  }
  const rasters = assets.filter(isRenderable)
  const found = rasters.find((asset) => asset.roles.includes('data')) ?? rasters[0]
  if (!found) {
    const hasFeatures = assets.some(({ media_type }) => media_type === 'application/geo+json')
    const hint = hasFeatures ? ' It has vector features: use `items.tile.vector`.' : ''
    throw new Problem('unsupported-raster', `The item has no raster that can be rendered.${hint}`)
  }
  return found
}
