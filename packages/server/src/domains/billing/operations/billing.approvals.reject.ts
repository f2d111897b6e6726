import { billingApprovalsRejectOperation } from '@swath/contract/operations/billing.approvals.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toTopupApproval, recordTopupDecision, requireTopupApproval } from '../topups/approvals.ts'

export const handler = defineHandler(billingApprovalsRejectOperation, async (call, input) => {
  const decision = { status: 'rejected', by: call.principal.id, reason: input.reason ?? null } as const
  return call.transaction(async (tx) => {
    const { id } = await recordTopupDecision(tx, call, input.approval_id, decision)
    return toTopupApproval(call.organization, await requireTopupApproval(call, tx, id))
  })
})
