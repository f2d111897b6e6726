import { hour_ms } from '@swath/geo/time-units.ts'
import { billingApprovalsRequestOperation } from '@swath/contract/operations/billing.approvals.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { toTopupApproval, requireTopupApproval } from '../topups/approvals.ts'
import { insertTopupApproval } from '../topups/store.approvals.ts'
import { upsertBillingDeadline } from '../../ledger/store.deadlines.ts'

const default_expiry_hours = 72

export const handler = defineHandler(billingApprovalsRequestOperation, async (call, input) => {
  const { organization, principal, clock } = call
  const id = newId()
  const now = clock.now()
  const expires_at = new Date(now.getTime() + (input.expiry_hours ?? default_expiry_hours) * hour_ms)
  return call.transaction(async (tx) => {
    const row = { id, credits: input.credits, requested_by: principal.id, expires_at, created_at: now }
    await insertTopupApproval(tx, organization, row)
    await upsertBillingDeadline(tx, { organization, kind: 'approval-expiry', subject: id, due_at: expires_at })
    return toTopupApproval(organization, await requireTopupApproval(call, tx, id))
  })
})
