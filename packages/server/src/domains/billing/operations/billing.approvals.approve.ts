import { billingApprovalsApproveOperation } from '@swath/contract/operations/billing.approvals.ts'
import type { TopupApproval } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'
import {
  toTopupApproval,
  recordTopupDecision,
  requireTopupApproval,
  requirePendingTopupApproval,
} from '../topups/approvals.ts'
import { chargeTopup, requirePaidTopup } from '../topups/charge-topup.ts'
import { resolveCardToCharge } from '../../card-payments/card-to-charge.ts'
import { findTopupOfApproval, type TopupRow } from '../topups/store.topups.ts'
import { completeTopupWithoutCharge, insertUnchargedTopup } from '../topups/topup.ts'

/** Records the decision and the top-up in one transaction; the charge follows, and a retry continues it. */
export const handler = defineHandler(billingApprovalsApproveOperation, async (call, input) => {
  const { approval_id, max_credits, dry_run } = input
  const { credits } = await requireTopupApproval(call, call.db, approval_id)
  requireWithinMaxCredits(credits, max_credits)
  if (dry_run) return executeDryRun(call, (dryRun) => approveWithoutCharge(dryRun, approval_id))
  const topup =
    (await findStartedTopup(call, approval_id)) ?? (await call.transaction((tx) => approve(tx, call, approval_id)))
  if (topup.state !== 'succeeded') await chargeTopup(call, topup)
  return toTopupApproval(call.organization, await requireTopupApproval(call, call.db, approval_id))
})

/**
 * The top-up that an earlier attempt started: of this call, or of the same user without an idempotency key while it is in
 * progress. Throws `already-decided` if the request was decided otherwise.
 */
async function findStartedTopup(call: Call, approval_id: string): Promise<TopupRow | null> {
  const row = await findTopupOfApproval(call.db, call.organization, approval_id)
  if (!row) return null
  if (call.claim?.recoveryData['topup_id'] === row.id) return requirePaidTopup(call, row)
  const approval = await requireTopupApproval(call, call.db, approval_id)
  const isInProgress = row.state === 'starting' || row.state === 'action'
  if (!isInProgress || approval.decided_by !== call.principal.id) requirePendingTopupApproval(approval)
  return row
}

async function approve(tx: Tx, call: Call, approval_id: string): Promise<TopupRow> {
  const { organization, integrations, principal } = call
  const { credits } = await recordTopupDecision(tx, call, approval_id, { status: 'approved', by: principal.id })
  const card = await resolveCardToCharge(tx, organization, integrations.payments)
  const row = await insertUnchargedTopup(tx, call, { kind: 'approval', credits, card_id: card.id, approval_id })
  await call.claim?.checkpoint(tx, 'payment_pending', { topup_id: row.id })
  return row
}

const approveWithoutCharge = (call: Call, approval_id: string): Promise<TopupApproval> =>
  call.transaction(async (tx) => {
    await completeTopupWithoutCharge(tx, call, await approve(tx, call, approval_id))
    return toTopupApproval(call.organization, await requireTopupApproval(call, tx, approval_id))
  })
