import { itemsTileRenderOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createItemTileResponse } from '../item-tile.ts'
import { requireTileInGrid } from '../tile.ts'
import { requireRenderableItem } from '../../items/access.ts'

export const handler = defineHandler(itemsTileRenderOperation, async (call, input) => {
  requireTileInGrid(input)
  return createItemTileResponse(call, await requireRenderableItem(call, input.item_id), input)
})
