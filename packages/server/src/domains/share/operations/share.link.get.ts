import { shareLinkGetOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireShareLink, toShareLinkDetails } from '../share-link.ts'

export const handler = defineHandler(shareLinkGetOperation, async (call, input) => ({
  link: await toShareLinkDetails(call, await requireShareLink(call, input.link_id, 'read')),
}))
