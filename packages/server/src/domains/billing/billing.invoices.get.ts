import { billingInvoicesGet } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { invoiceOf, requireDocument } from './documents/invoice-answers.ts'

export const getInvoice = handler(billingInvoicesGet, async (call, { invoice_id }) => {
  const { db, organization } = call
  return { invoice: await invoiceOf(db, organization, await requireDocument(db, organization, invoice_id)) }
})
