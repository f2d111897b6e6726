import { billingInvoicesListOperation } from '@swath/contract/operations/billing.invoices.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { pageOf } from '../../../engine/page.ts'
import { listNewestInvoices } from '../../invoicing/documents/invoice-response.ts'

export const handler = defineHandler(billingInvoicesListOperation, async (call, { limit }) => {
  return pageOf('invoices', await listNewestInvoices(call.db, call.organization, limit), { limit })
})
