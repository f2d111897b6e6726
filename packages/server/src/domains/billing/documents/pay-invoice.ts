import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emit } from '../../events/emit.ts'
import { closeBooks, openBooks, post } from '../../ledger/books.ts'
import { audOf } from '../aud.ts'
import { remainderOf, requireInvoice } from './credit-invoice.ts'
import { issueIn, type DocumentRow, type Issuer } from './issue-document.ts'
import { changeFate } from './store.invoices.ts'

/**
 * Records the payment of an invoice, less its credit notes, and issues the receipt. A paid invoice is returned unchanged.
 * Throws `not-found`, and `invalid-state` if no payment is due.
 */
export async function markPaid(tx: Tx, actor: Issuer, id: string): Promise<DocumentRow> {
  const books = await openBooks(tx, actor)
  const invoice = await requireInvoice(books, id)
  if (invoice.status === 'paid') return invoice
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw new Problem('invalid-state', `${invoice.number} is ${invoice.status}.`)
  }
  const { cents } = await remainderOf(books, invoice)
  const reference = { type: 'invoice', id }
  post(books, {
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
  await issueIn(books, actor.seller, {
    kind: 'receipt',
    lines: [{ description, quantity: 1, unit: null, unit_price_cents: null, amount_cents: cents, order_id: null }],
    paid_at: books.now,
    belongs_to: invoice,
    reference,
    ...(invoice.gst_cents === null ? { gst_cents: null } : {}),
  })
  const fate = { status: 'paid' as const, paid_at: books.now }
  await changeFate(tx, actor.organization, id, fate)
  await closeBooks(books)
  const data = { number: invoice.number, total_aud: audOf(cents) }
  await emit(tx, actor, { kind: 'invoice.paid', entity_type: 'invoice', entity_id: id, data })
  return { ...invoice, ...fate }
}
