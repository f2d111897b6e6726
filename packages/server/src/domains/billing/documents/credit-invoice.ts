import { invariant, Problem } from '../../../engine/problem.ts'
import type { Seller } from '../../../platform/seller.ts'
import { emit } from '../../events/emit.ts'
import { post, type Books, type Reference } from '../../ledger/books.ts'
import { audOf } from '../aud.ts'
import { issueIn, type DocumentRow } from './issue-document.ts'
import { roundHalfEven, wholeNumber } from '../rounding.ts'
import { changeFate, findDocument, sumCredits } from './store.invoices.ts'

/** What is left of an invoice after its credit notes. */
export interface Remainder {
  readonly cents: number
  /** The tax within it; null where the invoice has none. */
  readonly gst_cents: number | null
}

export async function remainderOf(books: Books, invoice: DocumentRow): Promise<Remainder> {
  const { tx, actor } = books
  const credited = (await sumCredits(tx, actor.organization, [invoice.id])).get(invoice.id)
  return {
    cents: invoice.total_cents - (credited?.cents ?? 0),
    gst_cents: invoice.gst_cents === null ? null : invoice.gst_cents - (credited?.gst_cents ?? 0),
  }
}

/** The invoice of that id, as it is under the lock of the books. Throws `not-found`, also for other documents. */
export async function requireInvoice(books: Books, id: string): Promise<DocumentRow> {
  const row = await findDocument(books.tx, books.actor.organization, id)
  if (row?.kind === 'invoice') return row
  throw new Problem('not-found', `No invoice has the id "${id}".`)
}

export interface CreditTerms {
  /** All that is left where it is left out. */
  readonly cents?: number
  readonly description: string
  readonly reference?: Reference
}

/**
 * Gives an invoice back, whole or in part, by a credit note: what was earned is refunded, and less is owed. Never more than
 * is left of it. An open invoice that nothing is left of is void. Throws `invalid-state`.
 */
export async function creditInvoice(
  books: Books,
  seller: Seller,
  invoice: DocumentRow,
  terms: CreditTerms,
): Promise<DocumentRow> {
  const { tx, actor } = books
  const left = await remainderOf(books, invoice)
  const { cents = left.cents, description, reference } = terms
  if (cents > left.cents || cents === 0) {
    throw new Problem('invalid-state', `Of ${invoice.number} ${audOf(left.cents)} AUD are left to credit.`)
  }
  const note = await issueIn(books, seller, {
    kind: 'credit_note',
    lines: [{ description, quantity: 1, unit: null, unit_price_cents: null, amount_cents: cents, order_id: null }],
    gst_cents: gstOf(invoice, left, cents),
    belongs_to: invoice,
    ...(reference ? { reference } : {}),
  })
  invariant(note.total_cents === cents, 'a credit note is issued once for its reason')
  post(books, {
    kind: 'refund',
    amount_credits: cents,
    reference: { type: 'credit_note', id: note.id },
    note: `${note.number} corrects ${invoice.number}`,
    postings: [
      { account: 'refunds', amount_credits: -cents, lot_id: null },
      { account: 'enterprise.invoiced', amount_credits: cents, lot_id: null },
    ],
  })
  if (invoice.status === 'open' && cents === left.cents) {
    await changeFate(tx, actor.organization, invoice.id, { status: 'void', paid_at: null })
  }
  const data = { number: note.number, corrects: invoice.number, total_aud: audOf(cents) }
  await emit(tx, actor, { kind: 'invoice.credited', entity_type: 'invoice', entity_id: invoice.id, data })
  return note
}

/** The share of the invoice's tax; the last credit takes what rounding left, so that they never give back more. */
export function gstOf({ total_cents, gst_cents }: DocumentRow, left: Remainder, cents: number): number | null {
  if (gst_cents === null || left.gst_cents === null) return null
  if (cents === left.cents) return left.gst_cents
  const share = wholeNumber(roundHalfEven(BigInt(cents) * BigInt(gst_cents), BigInt(total_cents)))
  return Math.min(share, left.gst_cents)
}
