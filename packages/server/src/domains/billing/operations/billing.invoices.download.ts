import { billingInvoicesDownloadOperation } from '@swath/contract/operations/billing.ts'
import { bytesResponse } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { withCurrentStatus, requireDocument } from '../../invoicing/documents/invoice-response.ts'
import { renderDocumentPdf } from '../../invoicing/documents/print-document.ts'

export const downloadInvoice = defineHandler(billingInvoicesDownloadOperation, async (call, { invoice_id }) => {
  const row = await requireDocument(call.db, call.organization, invoice_id)
  return bytesResponse(await renderDocumentPdf(withCurrentStatus(row)), 'application/pdf', {
    'content-disposition': `attachment; filename="${row.number}.pdf"`,
    'cache-control': 'private, no-cache',
  })
})
