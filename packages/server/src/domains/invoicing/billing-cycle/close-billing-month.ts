import type { Static } from 'typebox'
import type { MonthlyBillingRun } from '@swath/contract/schemas/billing.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type LedgerSession, flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { writeOffExpiredLots } from '../../ledger/lots.ts'
import { findOrganization } from '../../organizations/store.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { closeCommitmentInSession } from '../../contracts/close-commitment.ts'
import { issueMonthlyInvoice } from './invoice-month.ts'
import type { DocumentIssuer } from '../documents/issue-document.ts'
import { saveMonthlyStatements } from './month-statement.ts'
import { toMonthRange, findPreviousMonth } from '../../contracts/months.ts'
import { type CommitmentRow, listCommitments } from '../../contracts/store.commitments.ts'
import { type MonthlyRunRow, findMonthlyRun, insertMonthlyBillingRun } from './store.monthly.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import { countsTowardsPeriod } from '../../contracts/commitment-rollup.ts'
import { computeCreditableRemainder, creditInvoice, requireInvoice } from '../documents/credit-invoice.ts'
import { listChargeLinesUnderCommitment } from '../../contracts/store.delivered.ts'
import { type BillingDocumentRow, sumCreditNotesFor } from '../documents/store.invoices.ts'

/**
 * An order from a commitment period that is delivered after its close is charged, although the invoiced shortfall already
 * covered it. Issues a credit note for such charges, once per month, up to the shortfall. The invoiced shortfall does not
 * change.
 */
async function issueLateDeliveryCredits(
  ledger: LedgerSession,
  seller: SellerSettings,
  period: string,
): Promise<BillingDocumentRow[]> {
  const notes: BillingDocumentRow[] = []
  for (const row of await listCommitments(ledger.tx, ledger.actor.organization)) {
    if (row.invoice_id === null) continue
    const note = await creditLateDeliveriesOf(ledger, seller, row, period)
    if (note) notes.push(note)
  }
  return notes
}

async function creditLateDeliveriesOf(
  ledger: LedgerSession,
  seller: SellerSettings,
  row: CommitmentRow,
  period: string,
): Promise<BillingDocumentRow | null> {
  const { tx, actor } = ledger
  const { shortfall_cents } = row
  const credited = await sumCreditNotesFor(tx, actor.organization, { type: 'commitment', id: row.id })
  if (shortfall_cents === null || credited >= shortfall_cents) return null
  const { end } = toMonthRange(period)
  const deliveredLines = await listChargeLinesUnderCommitment(tx, actor.organization, row.id)
  const lateLines = deliveredLines.filter(({ at }) => at < end && !countsTowardsPeriod(row, at))
  const delivered = lateLines.reduce((sum, line) => sum + line.amount_credits, 0)
  const owed = Math.min(delivered, shortfall_cents) - credited
  if (owed <= 0) return null
  const invoice = await requireInvoice(ledger, row.invoice_id!)
  const remainder = await computeCreditableRemainder(ledger, invoice)
  const cents = Math.min(owed, remainder.cents)
  if (cents === 0) return null
  return creditInvoice(ledger, seller, invoice, {
    cents,
    description: `Delivered after the close of "${row.name}", whose minimum was paid`,
    reference: { type: 'commitment', id: `${row.id}:${period}` },
  })
}

export interface MonthlyRunResult extends MonthlyRunRow {
  /** True if an earlier run closed the month; the figures are those of that run. */
  readonly already_done: boolean
}

/** A grant in an open ledger session; `save` must be called after the session is flushed. */
export interface PendingMonthlyGrant {
  readonly credits: number
  save(): Promise<void>
}

/** Adds the free credits of the new month to an open ledger session; billing, which knows the plans, passes it in. */
export type AddMonthlyGrant = (ledger: LedgerSession) => Promise<PendingMonthlyGrant>

/**
 * Closes the previous month, by the clock of the organization, in one transaction: ended commitments, the invoice, credit
 * notes for late deliveries, the statement; then expired lots, and the free credits of the new month. A concurrent run
 * waits for the lock and finds it done. Throws `invalid-state` for a closed organization.
 */
export async function closeBillingMonth(
  tx: Tx,
  actor: DocumentIssuer,
  addMonthlyGrant: AddMonthlyGrant,
): Promise<MonthlyRunResult> {
  const { organization } = actor
  const ledger = await openLedgerSession(tx, actor)
  const period = findPreviousMonth(ledger.now)
  const earlierRun = await findMonthlyRun(tx, organization, period)
  if (earlierRun) return { ...earlierRun, already_done: true }
  if ((await findOrganization(tx, organization))?.status === 'deleted') {
    throw new Problem('invalid-state', 'The organization is closed.')
  }
  const trued_up_cents = await closeEndedCommitments(ledger, toMonthRange(period).end)
  const invoice = await issueMonthlyInvoice(ledger, actor.seller, period)
  await issueLateDeliveryCredits(ledger, actor.seller, period)
  await saveMonthlyStatements(tx, organization, period, ledger.now)
  const expired_credits = writeOffExpiredLots(ledger)
  const grant = await addMonthlyGrant(ledger)
  await flushLedgerSession(ledger)
  await grant.save()
  const granted_credits = grant.credits
  const run = { period, invoice_id: invoice?.id ?? null, trued_up_cents, expired_credits, granted_credits }
  await insertMonthlyBillingRun(tx, organization, run, ledger.now)
  return { ...run, already_done: false }
}

/** Closes commitments whose period ended by a time; returns the sum of their shortfalls in cents. */
async function closeEndedCommitments(ledger: LedgerSession, until: Date): Promise<number> {
  let shortfall_cents = 0
  for (const row of await listCommitments(ledger.tx, ledger.actor.organization)) {
    if (row.closed_at !== null || row.period_end > until) continue
    shortfall_cents += (await closeCommitmentInSession(ledger, row)).shortfall_cents ?? 0
  }
  return shortfall_cents
}

/** The API representation of a monthly run. */
export const toMonthlyRun = (organization_id: string, run: MonthlyRunResult): Static<typeof MonthlyBillingRun> => ({
  organization_id,
  period: run.period,
  invoice_id: run.invoice_id,
  trued_up_aud: centsToAud(run.trued_up_cents),
  expired_credits: run.expired_credits,
  granted_credits: run.granted_credits,
  already_done: run.already_done,
})
