import { adminCreditAdjustmentsApproveOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireMaxCredits } from '../../billing/max-credits.ts'
import { transactOrDryRun } from '../../ledger/dry-run.ts'
import { actorFor } from '../../organizations/all-organizations.ts'
import { decidedProblem, requireAdjustment, toCreditAdjustment, writeAdjustment } from '../credit-adjustments.ts'
import { markAdjustmentDecided, lockPendingAdjustment } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsApproveOperation, async (call, input) => {
  const actor = await actorFor(call, input.organization_id)
  const { organization, principal, clock } = actor
  const row = await requireAdjustment(call, input)
  // An earlier attempt of this call has written it.
  if (call.claim?.recoveryData['adjustment_id'] === row.id) return toCreditAdjustment(call.unscoped, row)
  if (row.requested_by === principal.id)
    throw new Problem('forbidden', 'An adjustment is approved by another operator than the one who requested it.')
  requireMaxCredits(Math.abs(row.amount_credits), input.max_credits)
  return transactOrDryRun(call.unscoped, { organization, dry_run: input.dry_run }, async (tx) => {
    if (!(await lockPendingAdjustment(tx, organization, row.id))) throw decidedProblem()
    const transaction_id = await writeAdjustment(tx, actor, row)
    const decision = {
      status: 'approved',
      decided_by: principal.id,
      decided_at: clock.now(),
      decision_reason: input.reason,
      transaction_id,
    } as const
    await markAdjustmentDecided(tx, { id: row.id, organization_id: organization, ...decision })
    await call.claim?.checkpoint(tx, 'reserved', { adjustment_id: row.id })
    return toCreditAdjustment(tx, { ...row, ...decision })
  })
})
