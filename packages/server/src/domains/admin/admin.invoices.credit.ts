import { adminInvoicesCredit } from '@swath/contract/operations/admin.invoices.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { centsOf } from '../billing/aud.ts'
import { creditInvoice, requireInvoice } from '../billing/documents/credit-invoice.ts'
import { invoiceOf, requireDocument } from '../billing/documents/invoice-answers.ts'
import type { Issuer } from '../billing/documents/issue-document.ts'
import { closeBooks, openBooks } from '../ledger/books.ts'
import { actIn } from '../organizations/named.ts'

export const giveInvoiceBack = handler(adminInvoicesCredit, async (call, input) => {
  const { invoice_id, amount_aud, reason: description } = input
  const actor = await actIn(call, input.organization_id)
  const terms = { description, ...(amount_aud ? { cents: centsOf(amount_aud, 'amount_aud') } : {}) }
  const done = call.claim?.data['credit_note_id']
  const id = typeof done === 'string' ? done : await credit(call, actor, invoice_id, terms)
  const read = async (document: string) =>
    invoiceOf(call.across, actor.organization, await requireDocument(call.across, actor.organization, document))
  return { credit_note: await read(id), invoice: await read(invoice_id) }
})

const credit = (
  call: Call,
  actor: Issuer,
  invoice_id: string,
  terms: { readonly description: string; readonly cents?: number },
): Promise<string> =>
  call.across.transaction(async (tx) => {
    const books = await openBooks(tx, actor)
    const note = await creditInvoice(books, actor.seller, await requireInvoice(books, invoice_id), terms)
    await closeBooks(books)
    await call.claim?.reach(tx, 'reserved', { credit_note_id: note.id })
    return note.id
  })
