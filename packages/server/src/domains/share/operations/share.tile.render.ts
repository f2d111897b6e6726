import { shareTileRenderOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { renderCollectionTile } from '../../rendering/collection-tile.ts'
import { createItemTileResponse } from '../../rendering/item-tile.ts'
import { requireTileInGrid } from '../../rendering/tile.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { chargeTile } from '../charge-tile.ts'
import { listSharedItemsInTile, getSharedTarget } from '../shared-target.ts'

/** The quality of lossy formats. */
const quality = 75

export const renderSharedTile = defineHandler(shareTileRenderOperation, async (call, input) => {
  requireTileInGrid(input)
  const { z, x, y, format, profile } = input
  const authorized = await authorizeShareLink(call, input, 'tile')
  const target = await getSharedTarget(authorized)
  const tileOptions = { z, x, y, format, quality, profile }
  await chargeTile(authorized)
  return target.type === 'item'
    ? createItemTileResponse(authorized.ownerCall, target.item, { ...tileOptions, scale: 1 })
    : renderCollectionTile(authorized.ownerCall, await listSharedItemsInTile(authorized, { z, x, y }), tileOptions)
})
