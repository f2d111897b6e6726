import { billingInvoicesDownload } from '@swath/contract/operations/billing.ts'
import { bytes } from '../../engine/answer.ts'
import { handler } from '../../engine/handler.ts'
import { documentNow, requireDocument } from './documents/invoice-answers.ts'
import { printDocument } from './documents/print-document.ts'

export const downloadInvoice = handler(billingInvoicesDownload, async (call, { invoice_id }) => {
  const row = await requireDocument(call.db, call.organization, invoice_id)
  return bytes(await printDocument(documentNow(row)), 'application/pdf', {
    'content-disposition': `attachment; filename="${row.number}.pdf"`,
    'cache-control': 'private, no-cache',
  })
})
