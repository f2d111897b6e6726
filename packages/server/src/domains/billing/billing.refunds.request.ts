import { billingRefundsRequest } from '@swath/contract/operations/billing.ts'
import type { Refund } from '@swath/contract/shapes/billing.ts'
import { invariant } from '../../engine/problem.ts'
import { handler } from '../../engine/handler.ts'
import { requirePerson } from '../organizations/membership.ts'
import { requireBillingRole } from './billing-roles.ts'
import { beginRefund } from './topups/refund-topup.ts'
import { findRefund, type RefundRow } from './topups/store.refunds.ts'

export const requestRefund = handler(billingRefundsRequest, async (call, input) => {
  requirePerson(call, 'Only a user can request a refund.')
  await requireBillingRole(call)
  const { organization } = call
  return call.transaction(async (tx) => {
    // An earlier attempt of this call may have started it.
    const begun = call.claim?.data['refund_id']
    const id = typeof begun === 'string' ? begun : await beginRefund(tx, call, input)
    if (id !== begun) await call.claim?.reach(tx, 'refunded', { refund_id: id })
    const row = await findRefund(tx, organization, id)
    invariant(row, 'the refund was just written')
    return refundOf(row)
  })
})

/** Always the accepted state, also on a retry; the result is published as an event. */
const refundOf = ({ id, topup_id, credits, reason, created_at }: RefundRow): Refund => ({
  id,
  topup_id,
  credits,
  aud: credits / 100,
  status: 'pending',
  reason,
  created_at: created_at.toISOString(),
})
