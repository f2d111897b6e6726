import { shareLinkGet } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { requireLink, sharedLinkOf } from './link.ts'

export const getSharedLink = handler(shareLinkGet, async (call, input) => ({
  link: await sharedLinkOf(call, await requireLink(call, input.link_id, 'read')),
}))
