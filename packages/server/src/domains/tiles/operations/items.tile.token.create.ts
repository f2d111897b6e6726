import { itemsTileTokenCreateOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { issueTileToken } from '../../identity/tile-tokens/tile-tokens.ts'
import { formatQueryString, buildItemTilesUrl, buildItemTileUrlTemplate } from '../tile-urls.ts'
import { requireTileTokenTarget, toTileToken } from '../tile-token.ts'

export const handler = defineHandler(itemsTileTokenCreateOperation, async (call, input) => {
  const target = await requireTileTokenTarget(call, input)
  const { name, expires_in_seconds: lifetime_s } = input
  const { token, text } = await issueTileToken(call, { ...target, name, lifetime_s })
  const { revoked_at: _, ...created } = toTileToken(token)
  return { ...created, token: text, urls: token.item_id === null ? null : itemUrls(call.baseUrl, token.item_id, text) }
})

/** URLs of the item that map clients can use directly. */
function itemUrls(base: string, item_id: string, key: string) {
  const root = buildItemTilesUrl(base, item_id)
  return {
    tiles: buildItemTileUrlTemplate(base, item_id, 'png', { key }),
    tilejson: `${root}/tilejson.json${formatQueryString({ key })}`,
    wmts: `${root}/WMTSCapabilities.xml${formatQueryString({ key })}`,
  }
}
