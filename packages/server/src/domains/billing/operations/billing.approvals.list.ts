import { billingApprovalsListOperation } from '@swath/contract/operations/billing.approvals.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { findReadableRequester, toTopupApproval } from '../topups/approvals.ts'
import { listTopupApprovals } from '../topups/store.approvals.ts'

/** A bound on the response; older requests are not listed. */
const max_rows = 1000

export const handler = defineHandler(billingApprovalsListOperation, async (call, input) => {
  const { db, organization, clock } = call
  const filter = { status: input.status ?? null, requested_by: await findReadableRequester(call), limit: max_rows }
  const rows = await listTopupApprovals(db, organization, filter, clock.now())
  return toCompleteList(
    'approvals',
    rows.map((row) => toTopupApproval(organization, row)),
  )
})
