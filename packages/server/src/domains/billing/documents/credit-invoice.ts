import { invariant, Problem } from '../../../engine/problem.ts'
import type { Seller } from '../../../platform/seller.ts'
import { emit } from '../../events/emit.ts'
import { post, type Books, type Reference } from '../../ledger/books.ts'
import { audOf } from '../aud.ts'
import { issueIn, type DocumentRow } from './issue-document.ts'
import { roundHalfEven, wholeNumber } from '../rounding.ts'
import { changeFate, findDocument, sumCredits } from './store.invoices.ts'

/** The amount of an invoice that its credit notes have not credited. */
export interface Remainder {
  readonly cents: number
  /** The GST included in it; null if the invoice has none. */
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

/** Finds an invoice under the ledger lock. Throws `not-found`, also for other kinds of documents. */
export async function requireInvoice(books: Books, id: string): Promise<DocumentRow> {
  const row = await findDocument(books.tx, books.actor.organization, id)
  if (row?.kind === 'invoice') return row
  throw new Problem('not-found', `No invoice has the id "${id}".`)
}

export interface CreditTerms {
  /** Default: the whole remainder. */
  readonly cents?: number
  readonly description: string
  readonly reference?: Reference
}

/**
 * Credits an invoice in full or in part by a credit note, up to its remainder, which reduces what is owed. An open
 * invoice without a remainder becomes void. Throws `invalid-state`.
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
    throw new Problem('invalid-state', `Only ${audOf(left.cents)} AUD of ${invoice.number} can still be credited.`)
  }
  const note = await issueIn(books, seller, {
    kind: 'credit_note',
    lines: [{ description, quantity: 1, unit: null, unit_price_cents: null, amount_cents: cents, order_id: null }],
    gst_cents: gstOf(invoice, left, cents),
    belongs_to: invoice,
    ...(reference ? { reference } : {}),
  })
  invariant(note.total_cents === cents, 'a credit note is issued once per reference')
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

/** The proportional GST; the last credit note takes the rounding remainder, so that the sum never exceeds the invoice's. */
export function gstOf({ total_cents, gst_cents }: DocumentRow, left: Remainder, cents: number): number | null {
  if (gst_cents === null || left.gst_cents === null) return null
  if (cents === left.cents) return left.gst_cents
  const share = wholeNumber(roundHalfEven(BigInt(cents) * BigInt(gst_cents), BigInt(total_cents)))
  return Math.min(share, left.gst_cents)
}
