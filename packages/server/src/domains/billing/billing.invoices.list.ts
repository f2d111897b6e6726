import { billingInvoicesList } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { newestInvoices } from './documents/invoice-answers.ts'

export const listInvoices = handler(billingInvoicesList, async (call, { limit }) => {
  const { invoices, total } = await newestInvoices(call.db, call.organization, limit)
  return { invoices, limit, offset: 0, total }
})
