import { itemsListExpiring } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { shiftTimes } from '../../platform/clock.ts'
import { itemOf } from './item.ts'
import { firstRows } from './item-page.ts'
import { listExpiring } from './store.life.ts'

const day_ms = 86_400_000
const limit = 10_000

export const listExpiringItems = handler(itemsListExpiring, async (call, input) => {
  const before = shiftTimes(call.clocks.times(), input.days * day_ms)
  const { page, total } = await listExpiring(call.across, before, limit)
  const rows = await firstRows(call.across, page)
  return { items: rows.map(itemOf), limit, offset: 0, total }
})
