import { billingEnterpriseMarkInvoiced } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { actIn } from '../organizations/named.ts'
import { audOf } from './aud.ts'
import { markInvoiced } from './months/enterprise-accruals.ts'
import { monthOf } from './months/months.ts'

export const markOutsideInvoice = handler(billingEnterpriseMarkInvoiced, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const { organization, clock } = actor
  const { reference, note = null, order_ids = null } = input
  const period = input.period ?? monthOf(clock.now())
  const marked = await call.across.transaction((tx) =>
    markInvoiced(tx, actor, { reference, note, period, orders: order_ids }),
  )
  const { marked_count, total_cents } = marked
  return { organization_id: organization, reference, marked_count, total_aud: audOf(total_cents) }
})
