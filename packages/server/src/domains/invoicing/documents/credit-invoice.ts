import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import { appendJournalEntry, type LedgerSession, type LedgerReference } from '../../ledger/ledger-session.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { issueBillingDocumentInSession } from './issue-document.ts'
import { roundHalfEven, toSafeInteger } from '../../ledger/rounding.ts'
import {
  updateBillingDocumentStatus,
  findBillingDocument,
  sumCreditNotes,
  type BillingDocumentRow,
} from './store.invoices.ts'

/** The amount of an invoice that its credit notes have not credited. */
export interface CreditableRemainder {
  readonly cents: number
  /** The GST included in it; null if the invoice has none. */
  readonly gst_cents: number | null
}

export async function computeCreditableRemainder(
  ledger: LedgerSession,
  invoice: BillingDocumentRow,
): Promise<CreditableRemainder> {
  const { tx, actor } = ledger
  const credited = (await sumCreditNotes(tx, actor.organization, [invoice.id])).get(invoice.id)
  return {
    cents: invoice.total_cents - (credited?.cents ?? 0),
    gst_cents: invoice.gst_cents === null ? null : invoice.gst_cents - (credited?.gst_cents ?? 0),
  }
}

/** Finds an invoice under the ledger lock. Throws `not-found`, also for other kinds of documents. */
export async function requireInvoice(ledger: LedgerSession, id: string): Promise<BillingDocumentRow> {
  const row = await findBillingDocument(ledger.tx, ledger.actor.organization, id)
  if (row?.kind === 'invoice') return row
  throw new Problem('not-found', `No invoice has the id "${id}".`)
}

export interface CreditNoteRequest {
  /** Default: the whole remainder. */
  readonly cents?: number
  readonly description: string
  readonly reference?: LedgerReference
}

/**
 * Credits an invoice in full or in part by a credit note, up to its remainder, which reduces the debt. An open invoice
 * without a remainder becomes void. Throws `invalid-state`.
 */
export async function creditInvoice(
  ledger: LedgerSession,
  seller: SellerSettings,
  invoice: BillingDocumentRow,
  request: CreditNoteRequest,
): Promise<BillingDocumentRow> {
  const { tx, actor } = ledger
  const remainder = await computeCreditableRemainder(ledger, invoice)
  const { cents = remainder.cents, description, reference } = request
  if (cents > remainder.cents || cents === 0) {
    throw new Problem(
      'invalid-state',
      `Only ${centsToAud(remainder.cents)} AUD of ${invoice.number ?? 'the invoice'} can still be credited.`,
    )
  }
  const creditNote = await issueBillingDocumentInSession(ledger, seller, {
    kind: 'credit_note',
    lines: [{ description, quantity: 1, unit: null, unit_price_cents: null, amount_cents: cents, order_id: null }],
    gst_cents: computeCreditedGst(invoice, remainder, cents),
    belongs_to: invoice,
    ...(reference ? { reference } : {}),
  })
  assertInvariant(creditNote.total_cents === cents, 'a credit note is issued once per reference')
  appendJournalEntry(ledger, {
    kind: 'refund',
    amount_credits: cents,
    reference: { type: 'credit_note', id: creditNote.id },
    note: `corrects ${invoice.number ?? invoice.id}`,
    postings: [
      { account: 'refunds', amount_credits: -cents, lot_id: null },
      { account: 'enterprise.invoiced', amount_credits: cents, lot_id: null },
    ],
  })
  if (invoice.status === 'open' && cents === remainder.cents) {
    await updateBillingDocumentStatus(tx, actor.organization, invoice.id, { status: 'void', paid_at: null })
  }
  return creditNote
}

/** The proportional GST; the last credit note takes the rounding remainder, so that the sum never exceeds the invoice's. */
export function computeCreditedGst(
  { total_cents, gst_cents }: BillingDocumentRow,
  remainder: CreditableRemainder,
  cents: number,
): number | null {
  if (gst_cents === null || remainder.gst_cents === null) return null
  if (cents === remainder.cents) return remainder.gst_cents
  const share = toSafeInteger(roundHalfEven(BigInt(cents) * BigInt(gst_cents), BigInt(total_cents)))
  return Math.min(share, remainder.gst_cents)
}
