import { shareItemsListOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { nextOffset } from '../../items/search/item-page.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { listSharedTargetItems, toSharedItems } from '../shared-target.ts'

export const listSharedItems = defineHandler(shareItemsListOperation, async (call, input) => {
  const { limit, offset } = input
  const authorized = await authorizeShareLink(call, input)
  const { rows, total } = await listSharedTargetItems(authorized, { limit, offset })
  const next_offset = nextOffset(offset, rows.length, total)
  return { items: await toSharedItems(authorized, rows), limit, offset, total, next_offset }
})
