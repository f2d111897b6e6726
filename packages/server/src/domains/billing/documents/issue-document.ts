import { invariant } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Seller } from '../../../platform/seller.ts'
import type { Actor } from '../../events/emit.ts'
import { closeBooks, openBooks, post, type Books, type Reference } from '../../ledger/books.ts'
import { readBillingParty, type BillingParty } from '../../organizations/organization.ts'
import type { BillingDocument, DocumentLine } from './documents.ts'
import { gstWithin } from './gst.ts'
import { buyerOf } from './parties.ts'
import {
  countDocuments,
  findDocumentFor,
  insertDocument,
  type DocumentRow,
  type DocumentStatus,
} from './store.invoices.ts'

export type { DocumentRow } from './store.invoices.ts'

/** The actor and the seller on issued documents: a call, or `actorOf` of a task. */
export type Issuer = Actor & { readonly seller: Seller }

export interface DocumentTerms {
  readonly kind: BillingDocument['kind']
  /** Their amounts sum to the total, in cents; they are positive, also in a credit note. */
  readonly lines: readonly DocumentLine[]
  /** Default: `paid`, because receipts and credit notes require no payment. */
  readonly status?: DocumentStatus
  /** A month, `YYYY-MM`. */
  readonly period?: string | null
  readonly due_at?: Date | null
  readonly paid_at?: Date | null
  /** The document that a credit note corrects, or the invoice that a receipt is for. */
  readonly belongs_to?: { readonly id: string; readonly number: string } | null
  /** What it is issued for, such as a top-up; at most one document of a kind is issued per reference. */
  readonly reference?: Reference | null
  readonly notes?: readonly string[]
  /** The GST in the total, if it is not computed from the buyer's country, as in the last of several credit notes. */
  readonly gst_cents?: number | null
}

/**
 * Issues an invoice, receipt or credit note: takes the next number of its kind, copies the current parties, computes the
 * GST and posts its entry. The document is immutable. A repeated call with the same reference returns the issued one.
 */
export async function issueDocument(tx: Tx, actor: Issuer, terms: DocumentTerms): Promise<DocumentRow> {
  const books = await openBooks(tx, actor)
  const row = await issueIn(books, actor.seller, terms)
  await closeBooks(books)
  return row
}

/** Issues a document in an open ledger session, together with other entries. */
export async function issueIn(books: Books, seller: Seller, terms: DocumentTerms): Promise<DocumentRow> {
  const { tx, actor } = books
  const { reference = null } = terms
  const issued = reference && (await findDocumentFor(tx, actor.organization, terms.kind, reference))
  if (issued) return issued
  const party = await readBillingParty(tx, actor.organization)
  invariant(party, 'the buyer of a document is an existing organization')
  const number = numberOf(terms.kind, await countDocuments(tx, actor.organization, terms.kind))
  const row = rowOf(books, seller, terms, party, number)
  await insertDocument(tx, actor.organization, row)
  if (!paysInvoice(terms)) postTax(books, row)
  return row
}

const prefixes: Readonly<Record<BillingDocument['kind'], string>> = { invoice: 'INV', receipt: 'R', credit_note: 'CN' }

/** `INV-000001`: numbered per organization and kind, without gaps. */
const numberOf = (kind: BillingDocument['kind'], before: number): string =>
  `${prefixes[kind]}-${String(before + 1).padStart(6, '0')}`

/** The GST of an invoice is posted when it is issued, and not again when it is paid. */
const paysInvoice = ({ kind, belongs_to }: DocumentTerms): boolean => kind === 'receipt' && Boolean(belongs_to)

function rowOf(books: Books, seller: Seller, terms: DocumentTerms, party: BillingParty, number: string): DocumentRow {
  const { kind, lines, status = 'paid', period = null, due_at = null, paid_at = null, notes = [] } = terms
  const total_cents = lines.reduce((sum, line) => sum + line.amount_cents, 0)
  invariant(
    Number.isSafeInteger(total_cents) && total_cents > 0,
    'the total of a document must be a positive integer of cents',
  )
  const gst_cents = terms.gst_cents === undefined ? gstWithin(total_cents, party.country) : terms.gst_cents
  const document: BillingDocument = {
    kind,
    number,
    issued_at: books.now.toISOString(),
    due_at: due_at?.toISOString() ?? null,
    paid_at: paid_at?.toISOString() ?? null,
    status,
    seller,
    buyer: buyerOf(party),
    period,
    lines,
    total_cents,
    gst_cents,
    reference: terms.belongs_to?.number ?? null,
    notes,
  }
  return {
    id: newId(),
    number,
    kind,
    period,
    status,
    total_cents,
    gst_cents,
    corrects_id: terms.belongs_to?.id ?? null,
    reference_type: terms.reference?.type ?? null,
    reference_id: terms.reference?.id ?? null,
    document,
    issued_at: books.now,
    due_at,
    paid_at,
  }
}

/** Moves the GST from revenue to tax, or back for a credit note. One credit is one cent. */
function postTax(books: Books, { id, kind, number, gst_cents }: DocumentRow): void {
  if (gst_cents === null || gst_cents === 0) return
  const owed = kind === 'credit_note' ? -gst_cents : gst_cents
  post(books, {
    kind: 'tax',
    amount_credits: -owed,
    reference: { type: kind, id },
    note: number,
    postings: [
      { account: 'revenue', amount_credits: -owed, lot_id: null },
      { account: 'tax', amount_credits: owed, lot_id: null },
    ],
  })
}
