import { billingApprovalsGet } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { approvalOf, requireApproval } from './topups/approvals.ts'

export const getApproval = handler(billingApprovalsGet, async (call, input) => ({
  approval: approvalOf(call.organization, await requireApproval(call, call.db, input.approval_id)),
}))
