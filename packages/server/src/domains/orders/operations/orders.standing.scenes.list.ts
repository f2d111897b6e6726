import { ordersStandingScenesListOperation } from '@swath/contract/operations/orders.standing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireStandingOrder, toStandingOrderScene } from '../standing/standing-order.ts'
import { listStandingOrderScenes } from '../standing/store.standing-scenes.ts'

export const handler = defineHandler(ordersStandingScenesListOperation, async (call, input) => {
  const { id } = await requireStandingOrder(call, input.standing_order_id, 'read')
  const { status = null, limit, offset } = input
  const filter = { organization: call.organization, standing_order_id: id, status, limit, offset }
  const { rows, total } = await listStandingOrderScenes(call.db, filter)
  return toListPage('scenes', { rows: rows.map(toStandingOrderScene), total }, input)
})
