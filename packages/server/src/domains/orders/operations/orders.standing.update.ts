import { ordersStandingUpdateOperation } from '@swath/contract/operations/orders.standing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { sumStandingOrderMonthCredits } from '../standing/month-cap.ts'
import { requireStandingOrder, standingOrderNotFound, toStandingOrder } from '../standing/standing-order.ts'
import { findStandingOrder, updateStandingOrder, type StandingOrderRow } from '../standing/store.standing-orders.ts'

export const handler = defineHandler(ordersStandingUpdateOperation, async (call, input) => {
  const { standing_order_id, ...change } = input
  const { created_by } = await requireStandingOrder(call, standing_order_id, 'write')
  if (created_by !== call.principal.id) requireOnlyPause(change)
  const { organization, db, clock } = call
  const row = await call.transaction(async (tx) => {
    const current = await findStandingOrder(tx, organization, standing_order_id, true)
    if (!current) throw standingOrderNotFound(standing_order_id)
    const changed = { ...applyChange(current, change), updated_at: clock.now() }
    await updateStandingOrder(tx, organization, changed)
    return changed
  })
  const credits = await sumStandingOrderMonthCredits(db, organization, [row.id], clock.now())
  return toStandingOrder(row, credits.get(row.id) ?? 0)
})

type Change = Omit<NonNullable<(typeof ordersStandingUpdateOperation)['types']>['input'], 'standing_order_id'>

/** Its orders are those of its creator, with the limits and the money of that user. */
function requireOnlyPause({ status, ...others }: Change): void {
  const isOther = Object.values(others).some((value) => value !== undefined)
  if (isOther || status !== 'paused') {
    throw new Problem('forbidden', 'Only its creator may change a standing order; you may pause or delete it.')
  }
}

function applyChange(row: StandingOrderRow, change: Change): StandingOrderRow {
  const status = change.status ?? row.status
  const max_credits_per_month = change.max_credits_per_month ?? row.max_credits_per_month
  return {
    ...row,
    name: change.name ?? row.name,
    mode: change.mode ?? row.mode,
    max_credits_per_scene: change.max_credits_per_scene ?? row.max_credits_per_scene,
    max_credits_per_month,
    data_product_id: change.data_product_id === undefined ? row.data_product_id : change.data_product_id,
    license_type: change.license_type === undefined ? row.license_type : change.license_type,
    status,
    status_reason: status === 'suspended' ? row.status_reason : null,
    // A new cap counts from now on.
    capped_until: max_credits_per_month === row.max_credits_per_month ? row.capped_until : null,
  }
}
