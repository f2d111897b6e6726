import { adminInvoicesMarkPaid } from '@swath/contract/operations/admin.invoices.ts'
import { handler } from '../../engine/handler.ts'
import { invoiceOf } from '../billing/documents/invoice-answers.ts'
import { markPaid } from '../billing/documents/pay-invoice.ts'
import { actIn } from '../organizations/named.ts'

export const markInvoicePaid = handler(adminInvoicesMarkPaid, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const row = await call.across.transaction((tx) => markPaid(tx, actor, input.invoice_id))
  return { invoice: await invoiceOf(call.across, actor.organization, row) }
})
