import { shareItemsList } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { nextOffset } from '../items/item-page.ts'
import { openLink } from './open-link.ts'
import { itemsOf, sharedItems } from './shown.ts'

export const listSharedItems = handler(shareItemsList, async (call, input) => {
  const { limit, offset } = input
  const opened = await openLink(call, input)
  const { rows, total } = await itemsOf(opened, { limit, offset })
  const next_offset = nextOffset(offset, rows.length, total)
  return { items: await sharedItems(opened, rows), limit, offset, total, next_offset }
})
