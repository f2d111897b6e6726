import { itemsTileTokenListOperation } from '@swath/contract/operations/items.tile.token.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { completePageOf } from '../../../engine/page.ts'
import { listActiveTileTokens } from '../../identity/tile-tokens.ts'
import { requireTileTokenTarget, toTileToken } from '../tile-token.ts'

export const listTileTokens = defineHandler(itemsTileTokenListOperation, async (call, input) => {
  const tokens = (await listActiveTileTokens(call, await requireTileTokenTarget(call, input))).map(toTileToken)
  return completePageOf('tokens', tokens)
})
