import { day_ms } from '@swath/geo/time-units.ts'
import { itemsListExpiringOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { shiftOrganizationTimes } from '../../../platform/clock.ts'
import { toItem } from '../item.ts'
import { readFirstItems } from '../search/item-page.ts'
import { listExpiringItems } from '../store.item-lifecycle.ts'

const limit = 10_000

export const handler = defineHandler(itemsListExpiringOperation, async (call, input) => {
  const before = shiftOrganizationTimes(call.clocks.times(), input.days * day_ms)
  const { rows: ids, total } = await listExpiringItems(call.unscoped, before, limit)
  const rows = await readFirstItems(call.unscoped, ids)
  return toListPage('items', { rows: rows.map(toItem), total }, { limit })
})
