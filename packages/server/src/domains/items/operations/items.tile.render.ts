import { itemsTileRenderOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createItemTileResponse } from '../../rendering/item-tile.ts'
import { requireTileInGrid } from '../../rendering/tile.ts'
import { requireRenderableItem } from '../access.ts'

export const handler = defineHandler(itemsTileRenderOperation, async (call, input) => {
  requireTileInGrid(input)
  return createItemTileResponse(call, await requireRenderableItem(call, input.item_id), input)
})
