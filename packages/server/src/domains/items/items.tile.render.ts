import { itemsTileRender } from '@swath/contract/operations/items.tile.ts'
import { handler } from '../../engine/handler.ts'
import { itemTile } from '../rendering/item-tile.ts'
import { requireTile } from '../rendering/tile.ts'
import { requireDrawable } from './access.ts'

export const renderItemTile = handler(itemsTileRender, async (call, input) => {
  requireTile(input)
  return itemTile(call, await requireDrawable(call, input.item_id), input)
})
