import { billingStripeInvoicesListOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { findProcessorCustomerId } from '../../payment_methods/cards.ts'
import { withPaymentProblems } from '../../card-payments/payment-problems.ts'

export const handler = defineHandler(billingStripeInvoicesListOperation, async (call, { limit }) => {
  const { payments } = call.integrations
  const customer = await findProcessorCustomerId(call.db, call.organization, payments)
  const rows = customer === null ? [] : await withPaymentProblems(payments.invoices(customer, limit))
  const invoices = rows.map(({ total_cents, created, ...fields }) => ({
    ...fields,
    total_aud: total_cents / 100,
    created_at: created.toISOString(),
  }))
  return toListPage('invoices', { rows: invoices, total: invoices.length }, { limit })
})
