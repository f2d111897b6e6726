import { billingApprovalsApprove } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { approvalOf, decide, requireApproval, requireDecider, requirePending } from './topups/approvals.ts'
import { chargeTopup, settled } from './topups/charge-topup.ts'
import { chosenCard } from './cards/chosen-card.ts'
import { findTopupOfApproval, type TopupRow } from './topups/store.topups.ts'
import { beginTopup } from './topups/topup.ts'

/** Records the decision and the top-up in one transaction; the charge follows, and a retry continues it. */
export const approveTopup = handler(billingApprovalsApprove, async (call, { approval_id }) => {
  await requireDecider(call)
  const topup = (await resume(call, approval_id)) ?? (await approve(call, approval_id))
  if (topup.state !== 'succeeded') await chargeTopup(call, topup)
  return approvalOf(call.organization, await requireApproval(call, call.db, approval_id))
})

/**
 * The top-up that an earlier attempt started: of this call, or of the same user without an idempotency key while it is in
 * progress. Throws `already-decided` if the request was decided otherwise.
 */
async function resume(call: Call, approval_id: string): Promise<TopupRow | null> {
  const row = await findTopupOfApproval(call.db, call.organization, approval_id)
  if (!row) return null
  if (call.claim?.data['topup_id'] === row.id) return settled(call, row)
  const approval = await requireApproval(call, call.db, approval_id)
  const underWay = row.state === 'starting' || row.state === 'action'
  if (!underWay || approval.decided_by !== call.principal.id) requirePending(approval)
  return row
}

async function approve(call: Call, approval_id: string): Promise<TopupRow> {
  const { organization, outside, principal } = call
  return call.transaction(async (tx) => {
    const { credits } = await decide(tx, call, approval_id, { status: 'approved', by: principal.id })
    const card = await chosenCard(tx, organization, outside.payments)
    const row = await beginTopup(tx, call, { kind: 'approval', credits, card: card.id, approval_id })
    await call.claim?.reach(tx, 'payment_pending', { topup_id: row.id })
    return row
  })
}
