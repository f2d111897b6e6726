import { itemsTileTokenRevokeOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../../collections/access.ts'
import { revokeTileTokenById, requireTileToken } from '../../identity/tile-tokens/tile-tokens.ts'
import { requireItem } from '../../items/access.ts'

export const handler = defineHandler(itemsTileTokenRevokeOperation, async (call, input) => {
  const token = await requireTileToken(call, input.token_id)
  // The issuer may revoke it, even if the item is deleted or the issuer left the project.
  if (token.issuer !== call.principal.user) {
    if (token.item_id !== null) await requireItem(call, token.item_id, 'write', { allowExpired: true })
    else await requireCollection(call, token.collection_id!, 'write')
  }
  await revokeTileTokenById(call, token.id)
  return { ok: true, id: token.id }
})
