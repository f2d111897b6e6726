import { itemsTileTokenCreate } from '@swath/contract/operations/items.tile.token.ts'
import { handler } from '../../engine/handler.ts'
import { issueTileToken } from '../identity/tile-tokens.ts'
import { queryOf, tilesRoot, tileTemplate } from './tile-addresses.ts'
import { requireHolder, tokenOf } from './tile-token.ts'

export const createTileToken = handler(itemsTileTokenCreate, async (call, input) => {
  const holder = await requireHolder(call, input)
  const { name, expires_in_seconds: lifetime_s } = input
  const { token, text } = await issueTileToken(call, { ...holder, name, lifetime_s })
  const { revoked_at: _, ...made } = tokenOf(token)
  return { ...made, token: text, urls: token.item_id === null ? null : urlsOf(call.baseUrl, token.item_id, text) }
})

/** URLs of the item that map clients can use directly. */
function urlsOf(base: string, item_id: string, key: string) {
  const root = tilesRoot(base, item_id)
  return {
    tiles: tileTemplate(base, item_id, 'png', { key }),
    tilejson: `${root}/tilejson.json${queryOf({ key })}`,
    wmts: `${root}/WMTSCapabilities.xml${queryOf({ key })}`,
  }
}
