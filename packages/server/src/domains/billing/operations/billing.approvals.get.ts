import { billingApprovalsGetOperation } from '@swath/contract/operations/billing.approvals.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toTopupApproval, requireReadableTopupApproval } from '../topups/approvals.ts'

export const handler = defineHandler(billingApprovalsGetOperation, async (call, input) => ({
  approval: toTopupApproval(call.organization, await requireReadableTopupApproval(call, input.approval_id)),
}))
