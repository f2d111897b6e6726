import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { flushLedgerSession, openLedgerSession, appendJournalEntry } from '../../ledger/ledger-session.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { computeCreditableRemainder, requireInvoice } from './credit-invoice.ts'
import { issueBillingDocumentInSession, type DocumentIssuer } from './issue-document.ts'
import { updateBillingDocumentStatus, type BillingDocumentRow } from './store.invoices.ts'

/**
 * Records the payment of an invoice, less its credit notes, and issues the receipt. A paid invoice is returned unchanged.
 * `payment_reference` is that of the bank transfer, which the receipt names. Throws `not-found`, and `invalid-state` if no
 * payment is due.
 */
export async function recordInvoicePayment(
  tx: Tx,
  actor: DocumentIssuer,
  id: string,
  payment_reference: string | null = null,
): Promise<BillingDocumentRow> {
  const ledger = await openLedgerSession(tx, actor)
  const invoice = await requireInvoice(ledger, id)
  if (invoice.status === 'paid') return invoice
  if (invoice.number === null) throw new Problem('invalid-state', 'The invoice is a draft: it has no number yet.')
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw new Problem('invalid-state', `${invoice.number} is ${invoice.status}.`)
  }
  const { cents } = await computeCreditableRemainder(ledger, invoice)
  const reference = { type: 'invoice', id }
  appendJournalEntry(ledger, {
    kind: 'payment',
    amount_credits: cents,
    reference,
    note: invoice.number,
    postings: [
      { account: 'enterprise.invoiced', amount_credits: cents, lot_id: null },
      { account: 'stripe.clearing', amount_credits: -cents, lot_id: null },
    ],
  })
  const description = `Payment of invoice ${invoice.number}`
  await issueBillingDocumentInSession(ledger, actor.seller, {
    kind: 'receipt',
    lines: [{ description, quantity: 1, unit: null, unit_price_cents: null, amount_cents: cents, order_id: null }],
    paid_at: ledger.now,
    payment: { method: 'bank_transfer', card_brand: null, card_last4: null, reference: payment_reference },
    belongs_to: invoice,
    reference,
    ...(invoice.gst_cents === null ? { gst_cents: null } : {}),
  })
  const paidStatus = { status: 'paid' as const, paid_at: ledger.now }
  await updateBillingDocumentStatus(tx, actor.organization, id, paidStatus)
  await flushLedgerSession(ledger)
  const data = { number: invoice.number, total_aud: centsToAud(cents) }
  await emitEvent(tx, actor, { kind: 'invoice.paid', entity_type: 'invoice', entity_id: id, data })
  return { ...invoice, ...paidStatus }
}
