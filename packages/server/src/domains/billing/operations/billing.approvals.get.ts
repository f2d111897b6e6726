import { billingApprovalsGetOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toApproval, requireApproval } from '../topups/approvals.ts'

export const getApproval = defineHandler(billingApprovalsGetOperation, async (call, input) => ({
  approval: toApproval(call.organization, await requireApproval(call, call.db, input.approval_id)),
}))
