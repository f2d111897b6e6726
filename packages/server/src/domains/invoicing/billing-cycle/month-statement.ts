import type { MonthlyStatement } from '@swath/contract/schemas/commitment.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { centsToAud, toAudRate } from '../../ledger/aud.ts'
import { type CommitmentChargeLine, countsTowardsPeriod } from '../../contracts/commitment-rollup.ts'
import { describeTrueUp } from './invoice-month.ts'
import { type DateRange, isInDateRange, toMonthRange, toUtcMonth } from '../../contracts/months.ts'
import { type CommitmentRow, listCommitments } from '../../contracts/store.commitments.ts'
import { type DeliveredChargeLineRow, listDeliveredChargeLines } from '../../contracts/store.delivered.ts'
import { type BillingDocumentRow, listInvoiceCreditNotes } from '../documents/store.invoices.ts'
import { findLastClosedMonth, findMonthlyStatement, insertMonthlyStatement } from './store.monthly.ts'

/** One line of the statement of an organization that is billed monthly. */
export interface StatementLine extends CommitmentChargeLine {
  readonly id: string
  readonly unit: string
  readonly order_id: string | null
  /** The commitment that the line counts towards; null if it was charged at the list price. */
  readonly commitment_id: string | null
}

interface MonthStatement {
  /** `YYYY-MM`, UTC. */
  readonly period: string
  /** Oldest first. */
  readonly lines: readonly StatementLine[]
  readonly total_cents: number
  /** The part of the total that counts towards commitments. */
  readonly committed_cents: number
  readonly closed: boolean
}

/**
 * Builds the statement of one month from lines of any time. A closed month keeps its stored statement: corrections are
 * lines of the month in which they are made.
 */
export function buildMonthlyStatement(
  period: string,
  lines: readonly StatementLine[],
  closedStatement: MonthStatement | null,
): MonthStatement {
  if (closedStatement?.closed && closedStatement.period === period) return closedStatement
  const range = toMonthRange(period)
  const linesInRange = lines.filter(({ at }) => isInDateRange(range, at)).sort(compareByTime)
  return {
    period,
    lines: linesInRange,
    total_cents: sumCents(linesInRange),
    committed_cents: sumCents(linesInRange.filter(({ commitment_id }) => commitment_id !== null)),
    closed: false,
  }
}

/** The statement that is stored when a month is closed. */
export const buildClosingStatement = (statement: MonthStatement): MonthStatement => ({ ...statement, closed: true })

const sumCents = (lines: readonly StatementLine[]): number =>
  lines.reduce((total, line) => total + line.amount_cents, 0)

const compareByTime = (a: StatementLine, b: StatementLine): number =>
  Number(a.at) - Number(b.at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The statement of a month: the stored one if the month is closed, otherwise the current one. */
export async function readMonthlyStatement(
  db: SqlStatementRunner,
  organization: string,
  period: string,
): Promise<MonthlyStatement> {
  const lastClosed = await findLastClosedMonth(db, organization)
  if (lastClosed === null || period > lastClosed) {
    const lines = await readStatementLines(db, organization, toMonthRange(period))
    return toStatement(organization, buildMonthlyStatement(period, lines, null))
  }
  const stored = await findMonthlyStatement<MonthStatement>(db, organization, period)
  // A closed month without a row had no lines.
  const closedStatement = stored ? parseDates(stored) : buildClosingStatement(buildMonthlyStatement(period, [], null))
  return toStatement(organization, buildMonthlyStatement(period, [], closedStatement))
}

const parseDates = (stored: MonthStatement): MonthStatement => ({
  ...stored,
  lines: stored.lines.map((line) => ({ ...line, at: new Date(line.at) })),
})

/** Stores the statements of the month that is being closed and of earlier months that were not closed. */
export async function saveMonthlyStatements(
  tx: Tx,
  organization: string,
  period: string,
  now: OrganizationTime,
): Promise<void> {
  const lastClosed = await findLastClosedMonth(tx, organization)
  const start = lastClosed === null ? new Date(0) : toMonthRange(lastClosed).end
  const lines = await readStatementLines(tx, organization, { start, end: toMonthRange(period).end })
  const months = [...new Set(lines.map(({ at }) => toUtcMonth(at)))]
  for (const month of months) {
    await insertMonthlyStatement(tx, {
      organization,
      period: month,
      statement: buildClosingStatement(buildMonthlyStatement(month, lines, null)),
      now,
    })
  }
}

/** Charges, true-ups of commitments that ended, and credit notes within a date range. */
async function readStatementLines(
  db: SqlStatementRunner,
  organization: string,
  range: DateRange,
): Promise<StatementLine[]> {
  const commitments = await listCommitments(db, organization)
  const delivered = await listDeliveredChargeLines(db, organization, range)
  const credits = await listInvoiceCreditNotes(db, organization, range)
  const trueUps = commitments.filter((row) => (row.shortfall_cents ?? 0) > 0 && isInDateRange(range, lastInstant(row)))
  const byId = new Map(commitments.map((row) => [row.id, row]))
  return [
    ...delivered.map((row) => toDeliveredLine(row, byId)),
    ...trueUps.map(toTrueUpLine),
    ...credits.map(toCreditLine),
  ]
}

/** Sets `commitment_id` only if the line counts towards it, so that the lines sum to the commitment's delivered total. */
function toDeliveredLine(row: DeliveredChargeLineRow, commitments: ReadonlyMap<string, CommitmentRow>): StatementLine {
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
    commitment_id: commitment && countsTowardsPeriod(commitment, row.at) ? commitment.id : null,
  }
}

/** A true-up belongs to the month in which the period ended, whenever it was closed. */
const lastInstant = ({ period_end }: CommitmentRow): Date => new Date(period_end.getTime() - 1)

const toTrueUpLine = (row: CommitmentRow): StatementLine =>
  toAmountLine(row.id, lastInstant(row), describeTrueUp(row), row.shortfall_cents!)

const toCreditLine = ({ id, issued_at, number, document, total_cents }: BillingDocumentRow): StatementLine =>
  toAmountLine(id, issued_at, `Credit note ${number} to ${document.reference}`, -total_cents)

const toAmountLine = (id: string, at: Date, product: string, amount_cents: number): StatementLine => ({
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

const toStatement = (organization_id: string, statement: MonthStatement): MonthlyStatement => ({
  organization_id,
  period: statement.period,
  currency: 'AUD',
  lines: statement.lines.map((line) => ({
    at: line.at.toISOString(),
    product: line.product,
    order_id: line.order_id,
    quantity: Number(line.quantity),
    unit: line.unit,
    rate_aud: toAudRate(String(line.rate_cents)),
    amount_aud: centsToAud(line.amount_cents),
    commitment_id: line.commitment_id,
  })),
  total_aud: centsToAud(statement.total_cents),
  committed_aud: centsToAud(statement.committed_cents),
  closed: statement.closed,
})
