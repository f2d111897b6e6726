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

/** What a link shows, as it is now. */
export type Target =
  | { readonly type: 'item'; readonly item: ItemRow }
  | { readonly type: 'collection'; readonly collection: CollectionRow }

/** What the link shows. Throws `not-found` once it is deleted, `gone-retention` once its retention has ended. */
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

/** A window of the items that the link shows, newest first; it ends early where they are large. */
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

/** One item behind the link. Throws `not-found` for any other, `gone-retention` once its retention has ended. */
export async function itemBehind(opened: OpenLink, item_id: string): Promise<ItemRow> {
  const { inside } = opened
  const target = await targetOf(opened)
  if (target.type === 'item') {
    if (target.item.id !== item_id) throw missingItem(item_id)
    return target.item
  }
  // What lies elsewhere is not told apart from what is nowhere, not even by its end.
  const found = await findItem(inside.db, inside.organization, item_id)
  if (found?.collection_id !== target.collection.id) throw missingItem(item_id)
  return requireItem(inside, item_id, 'read')
}

/** As many lie over each other in one tile at most: every one has to be read. */
const most_items = 12

/** The items of a collection that a tile may show, newest first. */
export const itemsUnder = (opened: OpenLink, tile: Tile): Promise<ItemRow[]> =>
  listShownIn(opened.inside.searchDb, shownOf(opened), tileBoundsDegrees(tile), most_items)

/** What the rasters of a collection say of themselves. Throws `unsupported-raster` where there are none. */
export async function rastersOf(opened: OpenLink): Promise<RasterFacts[]> {
  const facts = await listShownRasters(opened.inside.db, shownOf(opened), 1000)
  if (facts.length === 0) throw new Problem('unsupported-raster', 'The collection has no raster that can be drawn.')
  return facts
}

const text = (time: Date | null): string | null => time?.toISOString() ?? null

/** Items as visitors see them; their files only where they may be fetched. */
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
