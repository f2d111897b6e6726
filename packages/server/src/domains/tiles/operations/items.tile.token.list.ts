import { itemsTileTokenListOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listActiveTileTokens, listActiveTileTokensOfCaller } from '../../identity/tile-tokens/tile-tokens.ts'
import { requireTileTokenTarget, toTileToken } from '../tile-token.ts'

export const handler = defineHandler(itemsTileTokenListOperation, async (call, input) => {
  const tokens =
    input.item_id || input.collection_id
      ? await listActiveTileTokens(call, await requireTileTokenTarget(call, input))
      : await listActiveTileTokensOfCaller(call)
  return toCompleteList('tokens', tokens.map(toTileToken))
})
