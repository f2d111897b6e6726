import type { SharedItem } from '@swath/contract/shapes/share-link.ts'
import { tileBoundsDegrees, type Tile } from '@swath/geo/tile-grid.ts'
import { Problem } from '../../engine/problem.ts'
import { collectionIn } from '../collections/access.ts'
import type { CollectionRow } from '../collections/store.ts'
import { missingItem, requireItem } from '../items/access.ts'
import { attributionOf } from '../items/attribution.ts'
import type { RasterFacts } from '../items/raster-facts.ts'
import { firstRows } from '../items/item-page.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import { assetsOfItems, type AssetRow } from '../items/store.assets.ts'
import { listShown, listShownIn, listShownRasters, type Shown } from '../items/store.shown.ts'
import type { OpenLink } from './open-link.ts'

/** The resource that a link shares, in its current state. */
export type Target =
  | { readonly type: 'item'; readonly item: ItemRow }
  | { readonly type: 'collection'; readonly collection: CollectionRow }

/** The shared resource. Throws `not-found` if it was deleted, `gone-retention` if its retention has ended. */
export async function targetOf({ link, inside }: OpenLink): Promise<Target> {
  const { target_type, target_id } = link
  if (target_type === 'item') return { type: 'item', item: await requireItem(inside, target_id, 'read') }
  return { type: 'collection', collection: await collectionIn(inside.db, link.organization_id, target_id, null) }
}

const shownOf = ({ link, inside }: OpenLink): Shown => ({
  organization: link.organization_id,
  collection: link.target_id,
  now: inside.clock.now(),
})

/** A page of the shared items, newest first; it ends early if they are large. */
export async function itemsOf(
  opened: OpenLink,
  window: { limit: number; offset: number },
): Promise<{ rows: ItemRow[]; total: number }> {
  const target = await targetOf(opened)
  if (target.type === 'collection') {
    const { page, total } = await listShown(opened.inside.db, shownOf(opened), window)
    return { rows: await firstRows(opened.inside.db, page), total }
  }
  const rows = [target.item].slice(window.offset, window.offset + window.limit)
  return { rows, total: 1 }
}

/** One shared item. Throws `not-found` for any other, `gone-retention` if its retention has ended. */
export async function itemBehind(opened: OpenLink, item_id: string): Promise<ItemRow> {
  const { inside } = opened
  const target = await targetOf(opened)
  if (target.type === 'item') {
    if (target.item.id !== item_id) throw missingItem(item_id)
    return target.item
  }
  // An item of another collection answers as one that does not exist, whatever its retention.
  const found = await findItem(inside.db, inside.organization, item_id)
  if (found?.collection_id !== target.collection.id) throw missingItem(item_id)
  return requireItem(inside, item_id, 'read')
}

/** Each item of a tile has to be read, so at most this many overlap in one tile. */
const most_items = 12

/** The items of the collection that intersect a tile, newest first. */
export const itemsUnder = (opened: OpenLink, tile: Tile): Promise<ItemRow[]> =>
  listShownIn(opened.inside.searchDb, shownOf(opened), tileBoundsDegrees(tile), most_items)

/** The metadata of the rasters of a collection. Throws `unsupported-raster` if there are none. */
export async function rastersOf(opened: OpenLink): Promise<RasterFacts[]> {
  const facts = await listShownRasters(opened.inside.db, shownOf(opened), 1000)
  if (facts.length === 0) throw new Problem('unsupported-raster', 'The collection has no raster that can be rendered.')
  return facts
}

const text = (time: Date | null): string | null => time?.toISOString() ?? null

/** Items as visitors see them; with their assets only if the link permits downloads. */
export async function sharedItems({ link, inside }: OpenLink, rows: readonly ItemRow[]): Promise<SharedItem[]> {
  const ids = rows.map((row) => row.id)
  const assets =
    link.permission === 'download'
      ? await assetsOfItems(inside.db, link.organization_id, ids)
      : new Map<string, AssetRow[]>()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    datetime: text(row.datetime),
    start_datetime: text(row.start_datetime),
    end_datetime: text(row.end_datetime),
    geometry: row.geometry,
    bbox: row.bbox,
    cloud_cover: row.cloud_cover,
    gsd: row.gsd,
    attribution: attributionOf(row.properties),
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
