import { itemsTileTokenList } from '@swath/contract/operations/items.tile.token.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { liveTileTokens } from '../identity/tile-tokens.ts'
import { requireHolder, tokenOf } from './tile-token.ts'

export const listTileTokens = handler(itemsTileTokenList, async (call, input) => {
  const tokens = (await liveTileTokens(call, await requireHolder(call, input))).map(tokenOf)
  return { tokens, ...wholeWindow(tokens) }
})
