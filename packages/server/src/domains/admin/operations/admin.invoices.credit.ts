import { adminInvoicesCreditOperation } from '@swath/contract/operations/admin.invoices.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { audToCents } from '../../ledger/aud.ts'
import { creditInvoice, requireInvoice } from '../../invoicing/documents/credit-invoice.ts'
import { toInvoice, requireDocument } from '../../invoicing/documents/invoice-response.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { actorFor } from '../../organizations/all-organizations.ts'

export const issueCreditNote = defineHandler(adminInvoicesCreditOperation, async (call, input) => {
  const { invoice_id, amount_aud, reason: description } = input
  const actor = await actorFor(call, input.organization_id)
  const options = { description, ...(amount_aud ? { cents: audToCents(amount_aud, 'amount_aud') } : {}) }
  const existingId = call.claim?.recoveryData['credit_note_id']
  const id = typeof existingId === 'string' ? existingId : await createCreditNote(call, actor, invoice_id, options)
  const readInvoice = async (documentId: string) =>
    toInvoice(call.unscoped, actor.organization, await requireDocument(call.unscoped, actor.organization, documentId))
  return { credit_note: await readInvoice(id), invoice: await readInvoice(invoice_id) }
})

const createCreditNote = (
  call: Call,
  actor: DocumentIssuer,
  invoice_id: string,
  options: { readonly description: string; readonly cents?: number },
): Promise<string> =>
  call.unscoped.transaction(async (tx) => {
    const ledger = await openLedgerSession(tx, actor)
    const creditNote = await creditInvoice(ledger, actor.seller, await requireInvoice(ledger, invoice_id), options)
    await flushLedgerSession(ledger)
    await call.claim?.checkpoint(tx, 'reserved', { credit_note_id: creditNote.id })
    return creditNote.id
  })
