import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import { appendJournalEntry, type LedgerSession } from '../../ledger/ledger-session.ts'
import type { DocumentLine } from '../documents/billing-document.ts'
import { issueBillingDocumentInSession } from '../documents/issue-document.ts'
import type { BillingDocumentRow } from '../documents/store.invoices.ts'
import { parseChargedScene } from '../documents/charged-scene.ts'
import { toMonthRange } from '../../contracts/months.ts'
import { insertInvoicedCharges } from './store.accruals.ts'
import { listUninvoicedTrueUps, markTrueUpsInvoiced, type CommitmentRow } from '../../contracts/store.commitments.ts'
import { listUninvoicedChargeLines, type DeliveredChargeLineRow } from '../../contracts/store.delivered.ts'

/**
 * Issues one invoice for all uninvoiced charges up to the end of a month and all uninvoiced true-ups; null if there are
 * none. Its total moves from accrued to invoiced: one credit is one cent.
 */
export async function issueMonthlyInvoice(
  ledger: LedgerSession,
  seller: SellerSettings,
  period: string,
): Promise<BillingDocumentRow | null> {
  const { tx, actor, now } = ledger
  const { organization } = actor
  const charges = await listUninvoicedChargeLines(tx, organization, toMonthRange(period).end)
  const trueUps = await listUninvoicedTrueUps(tx, organization)
  const lines = [...charges.map(toChargeLine), ...trueUps.map(toTrueUpLine)].filter((line) => line.amount_cents > 0)
  if (lines.length === 0) return null
  const due_at = new Date(now.getTime() + limits.invoice_due_days * day_ms)
  const invoice = await issueBillingDocumentInSession(ledger, seller, {
    kind: 'invoice',
    status: 'open',
    period,
    due_at,
    lines,
  })
  postInvoiceOfDocument(ledger, invoice)
  const holds = [...new Set(charges.map(({ hold_id }) => hold_id))]
  const mark = { invoice_id: invoice.id, reference: null, note: null, actor: actor.principal.id, now }
  await insertInvoicedCharges(tx, organization, holds, mark)
  const commitmentIds = trueUps.map(({ id }) => id)
  await markTrueUpsInvoiced(tx, organization, commitmentIds, invoice.id)
  return invoice
}

const postInvoiceOfDocument = (ledger: LedgerSession, { id, number, total_cents }: BillingDocumentRow): string =>
  postInvoiceEntry(ledger, { type: 'invoice', id }, number, total_cents)

/** Moves an amount from accrued to invoiced, for own and external invoices. */
export const postInvoiceEntry = (
  ledger: LedgerSession,
  reference: { readonly type: string; readonly id: string },
  note: string | null,
  cents: number,
): string =>
  appendJournalEntry(ledger, {
    kind: 'invoice',
    amount_credits: -cents,
    reference,
    note,
    postings: [
      { account: 'enterprise.accrued', amount_credits: cents, lot_id: null },
      { account: 'enterprise.invoiced', amount_credits: -cents, lot_id: null },
    ],
  })

const toChargeLine = (row: DeliveredChargeLineRow): DocumentLine => ({
  description: row.commitment_id ? `${row.product}, at the contract rate` : row.product,
  ...parseChargedScene(row),
  quantity: row.quantity,
  unit: row.unit,
  unit_price_cents: row.rate_credits,
  amount_cents: row.amount_credits,
  order_id: row.reference_type === 'order' ? row.reference_id : null,
})

/** The shortfall of a closed commitment. */
const toTrueUpLine = (row: CommitmentRow): DocumentLine => ({
  description: describeTrueUp(row),
  quantity: 1,
  unit: null,
  unit_price_cents: null,
  amount_cents: row.shortfall_cents ?? 0,
  order_id: null,
})

export const describeTrueUp = ({ name }: Pick<CommitmentRow, 'name'>): string =>
  `Shortfall below the minimum of "${name}"`
