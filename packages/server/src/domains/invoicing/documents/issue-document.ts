import { assertInvariant } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import type { Actor } from '../../../engine/actor.ts'
import {
  type LedgerReference,
  type LedgerSession,
  appendJournalEntry,
  flushLedgerSession,
  openLedgerSession,
} from '../../ledger/ledger-session.ts'
import { type BillingParty, findBillingParty } from '../../organizations/store.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { emitInvoiceEvent } from './emit-invoice-event.ts'
import type {
  BillingDocument,
  DocumentBuyer,
  DocumentLine,
  DocumentPayment,
  DocumentPurpose,
  DocumentSeller,
  StoredBillingDocument,
} from './billing-document.ts'
import { computeGst } from './gst.ts'
import { findDocumentSeries, formatDocumentNumber, findDocumentPurpose, computeSellerKey } from './series.ts'
import {
  type BillingDocumentRow,
  type BillingDocumentStatus,
  countBillingDocuments,
  findBillingDocumentByReference,
  insertBillingDocument,
} from './store.invoices.ts'
import { toCountryCode, toCountryName } from './countries.ts'

/** The common fields of a postal address, in reading order. */
const firstFields = ['line1', 'line2', 'street']
/** These are on one line: `Newcastle NSW 2300`. */
const placeFields = ['city', 'suburb', 'state', 'region', 'postcode', 'postal_code', 'zip']

/** The seller on a document. One of play money names no tax number and no bank account. */
const toDocumentSeller = (
  { name, abn, address, email, bank, payment_terms }: SellerSettings,
  purpose: DocumentPurpose,
): DocumentSeller =>
  purpose === 'billing'
    ? { name, abn, address, email, bank, payment_terms }
    : { name, abn: null, address, email, bank: null, payment_terms: null }

/** The buyer on a document; the address has all text fields that the organization entered, and its country. */
const toDocumentBuyer = (party: BillingParty): DocumentBuyer => ({
  name: party.name,
  abn: party.abn,
  tax_number: party.tax_number,
  email: party.billing_email,
  address: addressLines(party.billing_address ?? {}, party.country),
  country: toCountryCode(party.country),
  purchase_order_number: party.purchase_order_number,
})

function addressLines(address: Readonly<Record<string, unknown>>, country: string | null): string[] {
  const read = (name: string): string[] => toText(address[name])
  const others = Object.keys(address).filter((name) => ![...firstFields, ...placeFields, 'country'].includes(name))
  const place = placeFields.flatMap(read).join(' ')
  return [
    ...firstFields.flatMap(read),
    ...toText(place),
    ...others.flatMap(read),
    ...toText(country ?? address['country']).map(toCountryName),
  ]
}

const toText = (value: unknown): string[] =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? [String(value).trim()] : []

/** The actor and the seller on issued documents: a call, or `createTaskActor` of a task. */
export type DocumentIssuer = Actor & { readonly seller: SellerSettings }

export interface IssueDocumentRequest {
  readonly kind: BillingDocument['kind']
  /** Their amounts sum to the total, in cents; they are positive, also in a credit note. */
  readonly lines: readonly DocumentLine[]
  /** Default: `paid`, because receipts and credit notes require no payment. */
  readonly status?: BillingDocumentStatus
  /** A month, `YYYY-MM`. */
  readonly period?: string | null
  readonly due_at?: Date | null
  readonly paid_at?: Date | null
  /** The document that a credit note corrects, or the invoice that a receipt is for. */
  readonly belongs_to?: { readonly id: string } | null
  /** The subject, such as a top-up; at most one document of a kind is issued per reference. */
  readonly reference?: LedgerReference | null
  readonly notes?: readonly string[]
  /** Payment method, or that of the refund. */
  readonly payment?: DocumentPayment | null
  /** The GST in the total, if it is not computed from the buyer's country, as in the last of several credit notes. */
  readonly gst_cents?: number | null
}

/**
 * Issues an invoice, receipt or credit note: copies the current parties, computes the GST and posts its entry. The document
 * is immutable. A tax document gets its number in a second transaction, by a task; one of play money at once, in a series of
 * its organization. A repeated call with the same reference returns the issued one.
 */
export async function issueBillingDocument(
  tx: Tx,
  actor: DocumentIssuer,
  request: IssueDocumentRequest,
): Promise<BillingDocumentRow> {
  const ledger = await openLedgerSession(tx, actor)
  const row = await issueBillingDocumentInSession(ledger, actor.seller, request)
  await flushLedgerSession(ledger)
  return row
}

/** Issues a document in an open ledger session, together with other entries. */
export async function issueBillingDocumentInSession(
  ledger: LedgerSession,
  seller: SellerSettings,
  request: IssueDocumentRequest,
): Promise<BillingDocumentRow> {
  const { tx, actor } = ledger
  const { reference = null } = request
  const existing = reference && (await findBillingDocumentByReference(tx, actor.organization, request.kind, reference))
  if (existing) return existing
  const party = await findBillingParty(tx, actor.organization)
  assertInvariant(party, 'the buyer of a document is an existing organization')
  const row = buildDocumentRow(ledger, { seller, request, party })
  const numbered = row.seller === null ? await numberWithinOrganization(tx, row, actor.organization) : row
  await insertBillingDocument(tx, actor.organization, numbered)
  if (!paysInvoice(request)) postTax(ledger, numbered)
  if (numbered.number !== null) await emitInvoiceEvent(tx, actor, numbered)
  else {
    const task = { organization_id: actor.organization, document_id: numbered.id }
    await actor.queue.enqueue(tx, backgroundTaskTypes.numberDocument, task)
  }
  return numbered
}

/** The ledger lock of the organization is held, so no other document takes the number. */
async function numberWithinOrganization(
  tx: Tx,
  row: BillingDocumentRow,
  organization: string,
): Promise<BillingDocumentRow> {
  const series = row.series!
  const sequence = 1 + (await countBillingDocuments(tx, organization, series))
  return { ...row, sequence, number: formatDocumentNumber(series, sequence) }
}

/** The GST of an invoice is posted when it is issued, and not again when it is paid. */
const paysInvoice = ({ kind, belongs_to }: IssueDocumentRequest): boolean => kind === 'receipt' && Boolean(belongs_to)

function buildDocumentRow(
  ledger: LedgerSession,
  {
    seller,
    request,
    party,
  }: {
    readonly seller: SellerSettings
    readonly request: IssueDocumentRequest
    readonly party: BillingParty
  },
): BillingDocumentRow {
  const { kind, lines, status = 'paid', period = null, due_at = null, paid_at = null } = request
  const total_cents = lines.reduce((sum, line) => sum + line.amount_cents, 0)
  assertInvariant(
    Number.isSafeInteger(total_cents) && total_cents > 0,
    'the total of a document must be a positive integer of cents',
  )
  const purpose = findDocumentPurpose(ledger.actor.organization, seller)
  const isTaxable = purpose === 'billing' && seller.abn !== null
  const computed_cents = isTaxable ? computeGst(total_cents, party.country) : null
  const gst_cents = request.gst_cents === undefined ? computed_cents : request.gst_cents
  const document: StoredBillingDocument = {
    kind,
    purpose,
    issued_at: ledger.now.toISOString(),
    due_at: due_at?.toISOString() ?? null,
    paid_at: paid_at?.toISOString() ?? null,
    status,
    seller: toDocumentSeller(seller, purpose),
    buyer: toDocumentBuyer(party),
    period,
    lines,
    total_cents,
    gst_cents,
    payment: request.payment ?? null,
    reference: null,
    notes: request.notes ?? [],
  }
  return {
    id: newId(),
    number: null,
    seller: purpose === 'billing' ? computeSellerKey(seller) : null,
    series: findDocumentSeries(purpose, kind),
    sequence: null,
    kind,
    period,
    status,
    total_cents,
    gst_cents,
    corrects_id: request.belongs_to?.id ?? null,
    reference_type: request.reference?.type ?? null,
    reference_id: request.reference?.id ?? null,
    document,
    issued_at: ledger.now,
    due_at,
    paid_at,
  }
}

/** Moves the GST from revenue to tax, or back for a credit note. One credit is one cent. */
function postTax(ledger: LedgerSession, { id, kind, gst_cents }: BillingDocumentRow): void {
  if (gst_cents === null || gst_cents === 0) return
  const owed_cents = kind === 'credit_note' ? -gst_cents : gst_cents
  appendJournalEntry(ledger, {
    kind: 'tax',
    amount_credits: -owed_cents,
    reference: { type: kind, id },
    postings: [
      { account: 'revenue', amount_credits: -owed_cents, lot_id: null },
      { account: 'tax', amount_credits: owed_cents, lot_id: null },
    ],
  })
}
