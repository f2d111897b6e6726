import { adminCreditAdjustmentsRejectOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actorFor } from '../../organizations/all-organizations.ts'
import { decidedProblem, requireAdjustment, toCreditAdjustment } from '../credit-adjustments.ts'
import { markAdjustmentDecided } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsRejectOperation, async (call, input) => {
  const { organization, principal, clock } = await actorFor(call, input.organization_id)
  const row = await requireAdjustment(call, input)
  const decision = {
    status: 'rejected',
    decided_by: principal.id,
    decided_at: clock.now(),
    decision_reason: input.reason,
    transaction_id: null,
  } as const
  await call.unscoped.transaction(async (tx) => {
    if (!(await markAdjustmentDecided(tx, { id: row.id, organization_id: organization, ...decision })))
      throw decidedProblem()
  })
  return toCreditAdjustment(call.unscoped, { ...row, ...decision })
})
