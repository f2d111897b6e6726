import { billingApprovalsList } from '@swath/contract/operations/billing.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { approvalOf } from './topups/approvals.ts'
import { listApprovals } from './topups/store.approvals.ts'

/** A bound on the response; older requests are not listed. */
const most = 1000

export const listTopupApprovals = handler(billingApprovalsList, async (call, input) => {
  const { db, organization, clock } = call
  const wanted = { status: input.status ?? null, limit: most }
  const rows = await listApprovals(db, organization, wanted, clock.now())
  return { approvals: rows.map((row) => approvalOf(organization, row)), ...wholeWindow(rows) }
})
