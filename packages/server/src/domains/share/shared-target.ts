import type { SharedItem } from '@swath/contract/schemas/share-link.ts'
import { tileBoundsDegrees, type Tile } from '@swath/geo/tile-grid.ts'
import { Problem } from '../../engine/problem.ts'
import type { RowPage } from '../../platform/database/select-page.ts'
import { requireCollectionInProject } from '../collections/access.ts'
import type { CollectionRow } from '../collections/store.ts'
import { itemNotFound, requireItem } from '../items/access.ts'
import { findItemAttribution } from '../items/stac/attribution.ts'
import type { RasterMetadata } from '../items/assets/raster-metadata.ts'
import { readItemRowsWithinLimit } from '../items/search/item-page.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import { findAssetsByItem, type AssetRow } from '../items/assets/store.assets.ts'
import {
  listVisibleItems,
  listVisibleRasterItems,
  listVisibleRasters,
  type VisibleItemsScope,
} from '../items/search/store.visible-items.ts'
import type { AuthorizedShareLink } from './authorize-share-link.ts'

/** The resource that a link shares, in its current state. */
export type SharedResource =
  | { readonly type: 'item'; readonly item: ItemRow }
  | { readonly type: 'collection'; readonly collection: CollectionRow }

/** The shared resource. Throws `not-found` if it was deleted, `gone-retention` if its retention has ended. */
export async function getSharedTarget({ link, ownerCall }: AuthorizedShareLink): Promise<SharedResource> {
  const { target_type, target_id } = link
  if (target_type === 'item') return { type: 'item', item: await requireItem(ownerCall, target_id, 'read') }
  return {
    type: 'collection',
    collection: await requireCollectionInProject(ownerCall.db, {
      organization: link.organization_id,
      id: target_id,
      project_id: null,
    }),
  }
}

const visibleItemFilter = ({ link, ownerCall }: AuthorizedShareLink): VisibleItemsScope => ({
  organization: link.organization_id,
  collection: link.target_id,
  now: ownerCall.clock.now(),
})

/** A page of the shared items, newest first; it ends early if they are large. */
export async function listSharedResourceItems(
  authorized: AuthorizedShareLink,
  pageRequest: { limit: number; offset: number },
): Promise<RowPage<ItemRow>> {
  const target = await getSharedTarget(authorized)
  if (target.type === 'collection') {
    const { page, total } = await listVisibleItems(authorized.ownerCall.db, visibleItemFilter(authorized), pageRequest)
    return { rows: await readItemRowsWithinLimit(authorized.ownerCall.db, page), total }
  }
  const rows = [target.item].slice(pageRequest.offset, pageRequest.offset + pageRequest.limit)
  return { rows, total: 1 }
}

/** One shared item. Throws `not-found` for any other, `gone-retention` if its retention has ended. */
export async function requireSharedItem(authorized: AuthorizedShareLink, item_id: string): Promise<ItemRow> {
  const { ownerCall } = authorized
  const target = await getSharedTarget(authorized)
  if (target.type === 'item') {
    if (target.item.id !== item_id) throw itemNotFound(item_id)
    return target.item
  }
  // An item of another collection answers as one that does not exist, whatever its retention.
  const item = await findItem(ownerCall.db, ownerCall.organization, item_id)
  if (item?.collection_id !== target.collection.id) throw itemNotFound(item_id)
  return requireItem(ownerCall, item_id, 'read')
}

/** Each item of a tile has to be read, so at most this many overlap in one tile. */
const max_items_per_tile = 12

/** The items of the collection that intersect a tile, newest first. */
export const listSharedItemsInTile = (authorized: AuthorizedShareLink, tile: Tile): Promise<ItemRow[]> =>
  listVisibleRasterItems(
    authorized.ownerCall.itemSearchDb,
    visibleItemFilter(authorized),
    tileBoundsDegrees(tile),
    max_items_per_tile,
  )

/** The metadata of the rasters of a collection. Throws `unsupported-raster` if there are none. */
export async function listSharedRasters(authorized: AuthorizedShareLink): Promise<RasterMetadata[]> {
  const rasters = await listVisibleRasters(authorized.ownerCall.db, visibleItemFilter(authorized), 1000)
  if (rasters.length === 0)
    throw new Problem('unsupported-raster', 'The collection has no raster that can be rendered.')
  return rasters
}

const toIsoString = (time: Date | null): string | null => time?.toISOString() ?? null

/** Items as visitors see them; with their assets only if the link permits downloads. */
export async function toSharedItems(
  { link, ownerCall }: AuthorizedShareLink,
  rows: readonly ItemRow[],
): Promise<SharedItem[]> {
  const ids = rows.map((row) => row.id)
  const assets =
    link.permission === 'download'
      ? await findAssetsByItem(ownerCall.db, link.organization_id, ids)
      : new Map<string, AssetRow[]>()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    datetime: toIsoString(row.datetime),
    start_datetime: toIsoString(row.start_datetime),
    end_datetime: toIsoString(row.end_datetime),
    geometry: row.geometry,
    bbox: row.bbox,
    cloud_cover: row.cloud_cover,
    gsd: row.gsd,
    attribution: findItemAttribution(row.properties),
    assets: (assets.get(row.id) ?? []).map(({ id, key, title, media_type, roles, file_size_bytes, ready }) => ({
      id,
      key,
      title,
      media_type,
      roles,
      file_size_bytes,
      ready,
    })),
  }))
}
