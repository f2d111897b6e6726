import { adminCreditAdjustmentsApproveOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import {
  createAlreadyDecidedProblem,
  requireCreditAdjustment,
  toCreditAdjustment,
  postCreditAdjustment,
} from '../credit-adjustments.ts'
import { markCreditAdjustmentDecided, lockPendingCreditAdjustment } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsApproveOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const { organization, principal, clock } = actor
  const row = await requireCreditAdjustment(call, input)
  // An earlier attempt of this call has written it.
  if (call.claim?.recoveryData['adjustment_id'] === row.id) return toCreditAdjustment(call.unscoped, row)
  if (row.requested_by === principal.id)
    throw new Problem('forbidden', 'An adjustment is approved by another operator than the one who requested it.')
  requireWithinMaxCredits(Math.abs(row.amount_credits), input.max_credits)
  return runTransactionOrDryRun(call.unscoped, { organization, dry_run: input.dry_run }, async (tx) => {
    if (!(await lockPendingCreditAdjustment(tx, organization, row.id))) throw createAlreadyDecidedProblem()
    const transaction_id = await postCreditAdjustment(tx, actor, row)
    const decision = {
      status: 'approved',
      decided_by: principal.id,
      decided_at: clock.now(),
      decision_reason: input.reason,
      transaction_id,
    } as const
    await markCreditAdjustmentDecided(tx, { id: row.id, organization_id: organization, ...decision })
    await call.claim?.checkpoint(tx, 'reserved', { adjustment_id: row.id })
    return toCreditAdjustment(tx, { ...row, ...decision })
  })
})
