import { billingInvoicesListOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listNewestInvoices } from '../../invoicing/documents/invoice-response.ts'

export const listInvoices = defineHandler(billingInvoicesListOperation, async (call, { limit }) => {
  const { invoices, total } = await listNewestInvoices(call.db, call.organization, limit)
  return { invoices, limit, offset: 0, total }
})
