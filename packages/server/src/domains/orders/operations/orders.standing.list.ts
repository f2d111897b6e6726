import { ordersStandingListOperation } from '@swath/contract/operations/orders.standing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listReadableProjectIds, requireProject } from '../../projects/access.ts'
import { sumStandingOrderMonthCredits } from '../standing/month-cap.ts'
import { toStandingOrder } from '../standing/standing-order.ts'
import { listStandingOrders } from '../standing/store.standing-orders.ts'

export const handler = defineHandler(ordersStandingListOperation, async (call, input) => {
  const { organization, db } = call
  const projects = input.project_id
    ? [(await requireProject(call, input.project_id, 'read')).id]
    : await listReadableProjectIds(call)
  const { limit, offset } = input
  const { rows, total } = await listStandingOrders(db, { organization, projects, limit, offset })
  const ids = rows.map(({ id }) => id)
  const credits = await sumStandingOrderMonthCredits(db, organization, ids, call.clock.now())
  const standing_orders = rows.map((row) => toStandingOrder(row, credits.get(row.id) ?? 0))
  return toListPage('standing_orders', { rows: standing_orders, total }, input)
})
