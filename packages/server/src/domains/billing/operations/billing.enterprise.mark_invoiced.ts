import { billingEnterpriseMarkInvoicedOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { markChargesInvoiced } from '../../invoicing/billing-cycle/enterprise-accruals.ts'
import { toUtcMonth } from '../../contracts/months.ts'

export const handler = defineHandler(billingEnterpriseMarkInvoicedOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const { organization, clock } = actor
  const { reference, note = null, order_ids = null } = input
  const period = input.period ?? toUtcMonth(clock.now())
  const result = await call.unscoped.transaction((tx) =>
    markChargesInvoiced(tx, actor, { reference, note, period, orders: order_ids }),
  )
  const { marked_count, total_cents } = result
  return { organization_id: organization, reference, marked_count, total_aud: centsToAud(total_cents) }
})
