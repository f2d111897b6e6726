import { adminCreditAdjustmentsRequestOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { requireCreditAdjustment, toCreditAdjustment } from '../credit-adjustments.ts'
import { insertCreditAdjustment } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsRequestOperation, async (call, input) => {
  const { organization, principal, clock } = await toActorInOrganization(call, input.organization_id)
  const { amount_credits, reason } = input
  const row = { id: newId(), organization_id: organization, amount_credits, reason }
  await call.unscoped.transaction((tx) =>
    insertCreditAdjustment(tx, { ...row, requested_by: principal.id, requested_at: clock.now() }),
  )
  const requested = await requireCreditAdjustment(call, { organization_id: organization, adjustment_id: row.id })
  return toCreditAdjustment(call.unscoped, requested)
})
