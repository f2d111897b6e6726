import { shareLinkRevokeOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { markEntityDeleted } from '../../provenance/record-provenance.ts'
import { requireShareLink } from '../share-link.ts'
import { markShareLinkRevoked } from '../store.ts'

export const handler = defineHandler(shareLinkRevokeOperation, async (call, input) => {
  const { id } = await requireShareLink(call, input.link_id, 'write')
  await call.transaction(async (tx) => {
    await markShareLinkRevoked(tx, call.organization, id, call.clock.now())
    await markEntityDeleted(tx, call, { type: 'share_link', id })
  })
  return { ok: true, id }
})
