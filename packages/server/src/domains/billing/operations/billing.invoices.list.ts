import { billingInvoicesListOperation } from '@swath/contract/operations/billing.invoices.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listNewestInvoices } from '../../invoicing/documents/invoice-response.ts'

export const handler = defineHandler(billingInvoicesListOperation, async (call, { limit }) => {
  return toListPage('invoices', await listNewestInvoices(call.db, call.organization, limit), { limit })
})
