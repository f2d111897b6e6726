import { shareTileRenderOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { renderCollectionTile } from '../../tiles/collection-tile.ts'
import { createItemTileResponse } from '../../tiles/item-tile.ts'
import type { ItemRow } from '../../items/store.ts'
import { requireTileInGrid } from '../../tiles/tile.ts'
import { authorizeShareLink, type AuthorizedShareLink } from '../authorize-share-link.ts'
import { chargeShareTile } from '../charge-tile.ts'
import { getSharedTarget, listSharedItemsInTile, requireSharedItem } from '../shared-target.ts'

/** The quality of lossy formats. */
const quality = 75

export const handler = defineHandler(shareTileRenderOperation, async (call, input) => {
  requireTileInGrid(input)
  const { z, x, y, format, profile, item_id } = input
  const authorized = await authorizeShareLink(call, input, 'tile')
  const item = await findRenderedItem(authorized, item_id ?? null)
  const { default_stretch } = authorized.link
  const tileOptions = { z, x, y, format, quality, profile, default_stretch }
  await chargeShareTile(authorized)
  return item
    ? createItemTileResponse(authorized.ownerCall, item, { ...tileOptions, scale: 1 })
    : renderCollectionTile(authorized.ownerCall, await listSharedItemsInTile(authorized, { z, x, y }), tileOptions)
})

/** The item that the tile shows alone; null for all items of a collection. */
async function findRenderedItem(authorized: AuthorizedShareLink, item_id: string | null): Promise<ItemRow | null> {
  if (item_id !== null) return requireSharedItem(authorized, item_id)
  const target = await getSharedTarget(authorized)
  return target.type === 'item' ? target.item : null
}
