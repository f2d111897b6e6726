import { shareItemsListOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPageWithNextOffset } from '../../../engine/page.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { listSharedResourceItems, toSharedItems } from '../shared-target.ts'

export const handler = defineHandler(shareItemsListOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  const { rows, total } = await listSharedResourceItems(authorized, input)
  return toListPageWithNextOffset('items', { rows: await toSharedItems(authorized, rows), total }, input)
})
