import type { Statement } from '@swath/contract/shapes/commitment.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { audOf, rateAud } from '../aud.ts'
import { counts } from '../commitments/commitment-rollup.ts'
import { trueUpText } from './invoice-month.ts'
import { isWithin, monthOf, monthSpan, type Span } from './months.ts'
import { closeStatement, statementOf, type MonthStatement, type StatementLine } from './statement.ts'
import { listCommitments, type CommitmentRow } from '../commitments/store.commitments.ts'
import { listDelivered, type DeliveredRow } from './store.delivered.ts'
import { listInvoiceCredits, type DocumentRow } from '../documents/store.invoices.ts'
import { findStatement, insertStatement, lastClosedMonth } from './store.monthly.ts'

/** The statement of a month: the stored one if the month is closed, otherwise the current one. */
export async function readStatement(db: Queryable, organization: string, period: string): Promise<Statement> {
  const last = await lastClosedMonth(db, organization)
  if (last === null || period > last) {
    const lines = await linesWithin(db, organization, monthSpan(period))
    return answerOf(organization, statementOf(period, lines, null))
  }
  const kept = await findStatement<MonthStatement>(db, organization, period)
  // A closed month without a row had no lines.
  const fixed = kept ? revived(kept) : closeStatement(statementOf(period, [], null))
  return answerOf(organization, statementOf(period, [], fixed))
}

const revived = (kept: MonthStatement): MonthStatement => ({
  ...kept,
  lines: kept.lines.map((line) => ({ ...line, at: new Date(line.at) })),
})

/** Stores the statements of the month that is being closed and of earlier months that were not closed. */
export async function keepStatements(
  tx: Tx,
  organization: string,
  period: string,
  now: OrganizationTime,
): Promise<void> {
  const last = await lastClosedMonth(tx, organization)
  const start = last === null ? new Date(0) : monthSpan(last).end
  const lines = await linesWithin(tx, organization, { start, end: monthSpan(period).end })
  const months = [...new Set(lines.map(({ at }) => monthOf(at)))]
  for (const month of months) {
    await insertStatement(tx, organization, month, closeStatement(statementOf(month, lines, null)), now)
  }
}

/** Charges, true-ups of commitments that ended, and credit notes within a date range. */
async function linesWithin(db: Queryable, organization: string, span: Span): Promise<StatementLine[]> {
  const commitments = await listCommitments(db, organization)
  const delivered = await listDelivered(db, organization, span)
  const credits = await listInvoiceCredits(db, organization, span)
  const trueUps = commitments.filter((row) => (row.shortfall_cents ?? 0) > 0 && isWithin(span, lastInstant(row)))
  const byId = new Map(commitments.map((row) => [row.id, row]))
  return [...delivered.map((row) => deliveredLine(row, byId)), ...trueUps.map(trueUpLine), ...credits.map(creditLine)]
}

/** Sets `commitment_id` only if the line counts towards it, so that the lines sum to the commitment's delivered total. */
function deliveredLine(row: DeliveredRow, commitments: ReadonlyMap<string, CommitmentRow>): StatementLine {
  const commitment = commitments.get(row.commitment_id ?? '')
  return {
    id: `${row.hold_id}:${row.line}`,
    at: row.at,
    product: row.product,
    quantity: row.quantity,
    unit: row.unit,
    rate_cents: row.rate_credits,
    amount_cents: row.amount_credits,
    order_id: row.reference_type === 'order' ? row.reference_id : null,
    commitment_id: commitment && counts(commitment, row.at) ? commitment.id : null,
  }
}

/** A true-up belongs to the month in which the period ended, whenever it was closed. */
const lastInstant = ({ period_end }: CommitmentRow): Date => new Date(period_end.getTime() - 1)

const trueUpLine = (row: CommitmentRow): StatementLine =>
  amountLine(row.id, lastInstant(row), trueUpText(row), row.shortfall_cents!)

const creditLine = ({ id, issued_at, number, document, total_cents }: DocumentRow): StatementLine =>
  amountLine(id, issued_at, `Credit note ${number} to ${document.reference}`, -total_cents)

const amountLine = (id: string, at: Date, product: string, amount_cents: number): StatementLine => ({
  id,
  at,
  product,
  quantity: '1',
  unit: 'AUD',
  rate_cents: amount_cents,
  amount_cents,
  order_id: null,
  commitment_id: null,
})

const answerOf = (organization_id: string, statement: MonthStatement): Statement => ({
  organization_id,
  period: statement.period,
  currency: 'AUD',
  lines: statement.lines.map((line) => ({
    at: line.at.toISOString(),
    product: line.product,
    order_id: line.order_id,
    quantity: Number(line.quantity),
    unit: line.unit,
    rate_aud: rateAud(String(line.rate_cents)),
    amount_aud: audOf(line.amount_cents),
    commitment_id: line.commitment_id,
  })),
  total_aud: audOf(statement.total_cents),
  committed_aud: audOf(statement.committed_cents),
  closed: statement.closed,
})
