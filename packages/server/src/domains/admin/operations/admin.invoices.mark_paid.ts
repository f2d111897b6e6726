import { adminInvoicesMarkPaidOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toBillingInvoice } from '../../invoicing/documents/invoice-response.ts'
import { recordInvoicePayment } from '../../invoicing/documents/pay-invoice.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'

export const handler = defineHandler(adminInvoicesMarkPaidOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const row = await call.unscoped.transaction((tx) =>
    recordInvoicePayment(tx, actor, input.invoice_id, input.payment_reference ?? null),
  )
  return { invoice: await toBillingInvoice(call.unscoped, actor.organization, row) }
})
