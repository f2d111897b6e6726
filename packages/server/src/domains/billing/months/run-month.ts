import type { Static } from 'typebox'
import type { MonthlyRun } from '@swath/contract/shapes/billing.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { closeBooks, openBooks, type Books } from '../../ledger/books.ts'
import { expireLots } from '../../ledger/lots.ts'
import { readOrganization } from '../../organizations/organization.ts'
import { audOf } from '../aud.ts'
import { closeIn } from '../commitments/close-commitment.ts'
import { grantMonthIn } from './free-tier.ts'
import { invoiceMonth } from './invoice-month.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { creditLateDeliveries } from './late-deliveries.ts'
import { keepStatements } from './month-statement.ts'
import { monthSpan, previousMonth } from './months.ts'
import { listCommitments } from '../commitments/store.commitments.ts'
import { findRun, insertRun, type MonthlyRunRow } from './store.monthly.ts'

export { findRun, type MonthlyRunRow } from './store.monthly.ts'

export interface MonthlyOutcome extends MonthlyRunRow {
  /** True if an earlier run closed the month; the figures are those of that run. */
  readonly already_done: boolean
}

/**
 * Closes the previous month, by the clock of the organization, in one transaction: ended commitments, the invoice, credit
 * notes for late deliveries, the statement; then expired lots, and the free credits of the new month. A concurrent run
 * waits for the lock and finds it done. Throws `invalid-state` for a closed organization.
 */
export async function runMonth(tx: Tx, actor: Issuer): Promise<MonthlyOutcome> {
  const { organization } = actor
  const books = await openBooks(tx, actor)
  const period = previousMonth(books.now)
  const done = await findRun(tx, organization, period)
  if (done) return { ...done, already_done: true }
  if ((await readOrganization(tx, organization))?.status === 'deleted') {
    throw new Problem('invalid-state', 'The organization is closed.')
  }
  const trued_up_cents = await closeEnded(books, monthSpan(period).end)
  const invoice = await invoiceMonth(books, actor.seller, period)
  await creditLateDeliveries(books, actor.seller, period)
  await keepStatements(tx, organization, period, books.now)
  const expired_credits = expireLots(books)
  const grant = await grantMonthIn(books)
  await closeBooks(books)
  await grant.keep()
  const granted_credits = grant.credits
  const run = { period, invoice_id: invoice?.id ?? null, trued_up_cents, expired_credits, granted_credits }
  await insertRun(tx, organization, run, books.now)
  return { ...run, already_done: false }
}

/** Closes commitments whose period ended by a time; returns the sum of their shortfalls in cents. */
async function closeEnded(books: Books, until: Date): Promise<number> {
  let missing = 0
  for (const row of await listCommitments(books.tx, books.actor.organization)) {
    if (row.closed_at !== null || row.period_end > until) continue
    missing += (await closeIn(books, row)).shortfall_cents ?? 0
  }
  return missing
}

/** The API representation of a monthly run. */
export const runOf = (organization_id: string, run: MonthlyOutcome): Static<typeof MonthlyRun> => ({
  organization_id,
  period: run.period,
  invoice_id: run.invoice_id,
  trued_up_aud: audOf(run.trued_up_cents),
  expired_credits: run.expired_credits,
  granted_credits: run.granted_credits,
  already_done: run.already_done,
})
