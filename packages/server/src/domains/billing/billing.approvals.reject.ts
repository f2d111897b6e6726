import { billingApprovalsReject } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { approvalOf, decide, requireApproval, requireDecider } from './topups/approvals.ts'

export const rejectApproval = handler(billingApprovalsReject, async (call, input) => {
  await requireDecider(call)
  const decision = { status: 'rejected', by: call.principal.id, reason: input.reason ?? null } as const
  return call.transaction(async (tx) => {
    const { id } = await decide(tx, call, input.approval_id, decision)
    return approvalOf(call.organization, await requireApproval(call, tx, id))
  })
})
