import { billingRefundsRequestOperation } from '@swath/contract/operations/billing.ts'
import type { TopupRefund } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { startTopupRefund, type TopupRefundRequest } from '../topups/refund-topup.ts'
import { findTopupRefund, type TopupRefundRow } from '../topups/store.refunds.ts'

export const handler = defineHandler(billingRefundsRequestOperation, async (call, input) => {
  return input.dry_run ? executeDryRun(call, (dryRun) => writeRefund(dryRun, input)) : writeRefund(call, input)
})

function writeRefund(call: Call, request: TopupRefundRequest): Promise<TopupRefund> {
  const { organization } = call
  return call.transaction(async (tx) => {
    // An earlier attempt of this call may have started it.
    const startedRefundId = call.claim?.recoveryData['refund_id']
    const id = typeof startedRefundId === 'string' ? startedRefundId : await startTopupRefund(tx, call, request)
    if (id !== startedRefundId) await call.claim?.checkpoint(tx, 'refunded', { refund_id: id })
    const row = await findTopupRefund(tx, organization, id)
    assertInvariant(row, 'the refund was just written')
    return toRefund(row)
  })
}

/** Always the accepted state, also on a retry; the result is published as an event. */
const toRefund = ({ id, topup_id, credits, reason, created_at }: TopupRefundRow): TopupRefund => ({
  id,
  topup_id,
  credits,
  aud: credits / 100,
  status: 'pending',
  reason,
  created_at: created_at.toISOString(),
})
