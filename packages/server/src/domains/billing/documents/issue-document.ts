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

/** Who acts, and in whose name documents are issued: a call, or `actorOf` of a task. */
export type Issuer = Actor & { readonly seller: Seller }

export interface DocumentTerms {
  readonly kind: BillingDocument['kind']
  /** Their amounts sum to the total, in cents; of a credit note, too, they are above zero. */
  readonly lines: readonly DocumentLine[]
  /** `paid` where it is left out: receipts and credit notes ask for nothing. */
  readonly status?: DocumentStatus
  /** A month, `YYYY-MM`. */
  readonly period?: string | null
  readonly due_at?: Date | null
  readonly paid_at?: Date | null
  /** What a credit note corrects, or the invoice that a receipt is for. */
  readonly belongs_to?: { readonly id: string; readonly number: string } | null
  /** What it is issued for, such as a top-up: a second document of the kind for it is the first one. */
  readonly reference?: Reference | null
  readonly notes?: readonly string[]
  /** The tax within the total, where it is not the eleventh part by the buyer's country, as in the last of several credits. */
  readonly gst_cents?: number | null
}

/**
 * Issues an invoice, receipt or credit note in a transaction: the next number of its kind, the parties as they are now,
 * the tax within the total, and the entry of that tax. What it says is never changed. Issued again for the same reference,
 * it is the one that was issued.
 */
export async function issueDocument(tx: Tx, actor: Issuer, terms: DocumentTerms): Promise<DocumentRow> {
  const books = await openBooks(tx, actor)
  const row = await issueIn(books, actor.seller, terms)
  await closeBooks(books)
  return row
}

/** The same within books that are open, so that its entry stands beside others. */
export async function issueIn(books: Books, seller: Seller, terms: DocumentTerms): Promise<DocumentRow> {
  const { tx, actor } = books
  const { reference = null } = terms
  const issued = reference && (await findDocumentFor(tx, actor.organization, terms.kind, reference))
  if (issued) return issued
  const party = await readBillingParty(tx, actor.organization)
  invariant(party, 'a document is issued to an organization')
  const number = numberOf(terms.kind, await countDocuments(tx, actor.organization, terms.kind))
  const row = rowOf(books, seller, terms, party, number)
  await insertDocument(tx, actor.organization, row)
  if (!paysInvoice(terms)) postTax(books, row)
  return row
}

const prefixes: Readonly<Record<BillingDocument['kind'], string>> = { invoice: 'INV', receipt: 'R', credit_note: 'CN' }

/** `INV-000001`: each organization counts each kind by itself, without gaps. */
const numberOf = (kind: BillingDocument['kind'], before: number): string =>
  `${prefixes[kind]}-${String(before + 1).padStart(6, '0')}`

/** The tax of an invoice was entered with it, and not again when it is paid. */
const paysInvoice = ({ kind, belongs_to }: DocumentTerms): boolean => kind === 'receipt' && Boolean(belongs_to)

function rowOf(books: Books, seller: Seller, terms: DocumentTerms, party: BillingParty, number: string): DocumentRow {
  const { kind, lines, status = 'paid', period = null, due_at = null, paid_at = null, notes = [] } = terms
  const total_cents = lines.reduce((sum, line) => sum + line.amount_cents, 0)
  invariant(Number.isSafeInteger(total_cents) && total_cents > 0, 'a document is about a whole number of cents')
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

/** The tax within what was earned is owed to the state, and no more where it is credited. One credit is one cent. */
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
