import { adminCreditAdjustmentsRejectOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { createAlreadyDecidedProblem, requireCreditAdjustment, toCreditAdjustment } from '../credit-adjustments.ts'
import { markCreditAdjustmentDecided } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsRejectOperation, async (call, input) => {
  const { organization, principal, clock } = await toActorInOrganization(call, input.organization_id)
  const row = await requireCreditAdjustment(call, input)
  const decision = {
    status: 'rejected',
    decided_by: principal.id,
    decided_at: clock.now(),
    decision_reason: input.reason,
    transaction_id: null,
  } as const
  await call.unscoped.transaction(async (tx) => {
    if (!(await markCreditAdjustmentDecided(tx, { id: row.id, organization_id: organization, ...decision })))
      throw createAlreadyDecidedProblem()
  })
  return toCreditAdjustment(call.unscoped, { ...row, ...decision })
})
