import { adminTaskingOrderTransitionOperation } from '@swath/contract/operations/admin.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { transitionTaskingOrder } from '../../orders/tasking/move-order.ts'

export const handler = defineHandler(adminTaskingOrderTransitionOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const { order_id, transition: move, reason_code: code, reason: text } = input
  return call.unscoped.transaction(async (tx) => {
    const { status, sub_status } = await transitionTaskingOrder(tx, actor, { order_id, move, reason: { code, text } })
    return { order_id, status, subStatus: sub_status }
  })
})
