import { billingStripeInvoicesList } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { findCustomerOf } from '../payment_methods/cards.ts'
import { processorAnswer } from './cards/payment-problems.ts'

export const listProcessorInvoices = handler(billingStripeInvoicesList, async (call, { limit }) => {
  const { payments } = call.outside
  const customer = await findCustomerOf(call.db, call.organization, payments)
  const rows = customer === null ? [] : await processorAnswer(payments.invoices(customer, limit))
  const invoices = rows.map(({ total_cents, created, ...facts }) => ({
    ...facts,
    total_aud: total_cents / 100,
    created_at: created.toISOString(),
  }))
  return { invoices, limit, offset: 0, total: invoices.length }
})
