import { billingApprovalsApproveOperation } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  toApproval,
  recordDecision,
  requireApproval,
  requireApprover,
  requirePendingApproval,
} from '../topups/approvals.ts'
import { chargeTopup, requirePaidTopup } from '../topups/charge-topup.ts'
import { resolveCardToCharge } from '../../card-payments/card-to-charge.ts'
import { findTopupOfApproval, type TopupRow } from '../topups/store.topups.ts'
import { startTopup } from '../topups/topup.ts'

/** Records the decision and the top-up in one transaction; the charge follows, and a retry continues it. */
export const approveTopup = defineHandler(billingApprovalsApproveOperation, async (call, { approval_id }) => {
  await requireApprover(call)
  const topup = (await findStartedTopup(call, approval_id)) ?? (await approve(call, approval_id))
  if (topup.state !== 'succeeded') await chargeTopup(call, topup)
  return toApproval(call.organization, await requireApproval(call, call.db, approval_id))
})

/**
 * The top-up that an earlier attempt started: of this call, or of the same user without an idempotency key while it is in
 * progress. Throws `already-decided` if the request was decided otherwise.
 */
async function findStartedTopup(call: Call, approval_id: string): Promise<TopupRow | null> {
  const row = await findTopupOfApproval(call.db, call.organization, approval_id)
  if (!row) return null
  if (call.claim?.recoveryData['topup_id'] === row.id) return requirePaidTopup(call, row)
  const approval = await requireApproval(call, call.db, approval_id)
  const isInProgress = row.state === 'starting' || row.state === 'action'
  if (!isInProgress || approval.decided_by !== call.principal.id) requirePendingApproval(approval)
  return row
}

async function approve(call: Call, approval_id: string): Promise<TopupRow> {
  const { organization, integrations, principal } = call
  return call.transaction(async (tx) => {
    const { credits } = await recordDecision(tx, call, approval_id, { status: 'approved', by: principal.id })
    const card = await resolveCardToCharge(tx, organization, integrations.payments)
    const row = await startTopup(tx, call, { kind: 'approval', credits, card_id: card.id, approval_id })
    await call.claim?.checkpoint(tx, 'payment_pending', { topup_id: row.id })
    return row
  })
}
