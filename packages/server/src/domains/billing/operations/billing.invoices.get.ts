import { billingInvoicesGetOperation } from '@swath/contract/operations/billing.invoices.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toBillingInvoice, requireBillingDocument } from '../../invoicing/documents/invoice-response.ts'

export const handler = defineHandler(billingInvoicesGetOperation, async (call, { invoice_id }) => {
  const { db, organization } = call
  return {
    invoice: await toBillingInvoice(db, organization, await requireBillingDocument(db, organization, invoice_id)),
  }
})
