import { billingInvoicesDownloadOperation } from '@swath/contract/operations/billing.invoices.ts'
import { createBytesResponse } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readBillingDocument, requireBillingDocument } from '../../invoicing/documents/invoice-response.ts'
import { assignDocumentNumber } from '../../invoicing/documents/number-document.ts'
import { billingDocumentFormats } from '../../invoicing/documents/document-formats.ts'

export const handler = defineHandler(billingInvoicesDownloadOperation, async (call, { invoice_id, format }) => {
  const { db, organization } = call
  const issued = await requireBillingDocument(db, organization, invoice_id)
  // A download does not wait for the task that numbers documents.
  const row =
    issued.number === null ? await call.transaction((tx) => assignDocumentNumber(tx, call, invoice_id)) : issued
  const document = await readBillingDocument(db, organization, row)
  const { media_type, extension, write } = billingDocumentFormats[format]
  return createBytesResponse(await write(document), media_type, {
    'content-disposition': `attachment; filename="${document.number}.${extension}"`,
    'cache-control': 'private, no-cache',
  })
})
