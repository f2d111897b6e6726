import { shareLinkRevoke } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { bury } from '../provenance/record.ts'
import { requireLink } from './link.ts'
import { revokeLink } from './store.ts'

export const revokeSharedLink = handler(shareLinkRevoke, async (call, input) => {
  const { id } = await requireLink(call, input.link_id, 'write')
  await call.transaction(async (tx) => {
    await revokeLink(tx, call.organization, id, call.clock.now())
    await bury(tx, call, { type: 'share_link', id })
  })
  return { ok: true, id }
})
