import type { DeliveredLine } from '../../contracts/commitment-rollup.ts'
import { isInRange, monthRange } from '../../contracts/months.ts'

/** One line of the statement of an organization that is billed monthly. */
export interface StatementLine extends DeliveredLine {
  readonly id: string
  readonly unit: string
  readonly order_id: string | null
  /** The commitment that the line counts towards; null if it was charged at the list price. */
  readonly commitment_id: string | null
}

export interface MonthStatement {
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
export function buildStatement(
  period: string,
  lines: readonly StatementLine[],
  closedStatement: MonthStatement | null,
): MonthStatement {
  if (closedStatement?.closed && closedStatement.period === period) return closedStatement
  const range = monthRange(period)
  const linesInRange = lines.filter(({ at }) => isInRange(range, at)).sort(compareByTime)
  return {
    period,
    lines: linesInRange,
    total_cents: sumCents(linesInRange),
    committed_cents: sumCents(linesInRange.filter(({ commitment_id }) => commitment_id !== null)),
    closed: false,
  }
}

/** The statement that is stored when a month is closed. */
export const closeStatement = (statement: MonthStatement): MonthStatement => ({ ...statement, closed: true })

const sumCents = (lines: readonly StatementLine[]): number =>
  lines.reduce((total, line) => total + line.amount_cents, 0)

const compareByTime = (a: StatementLine, b: StatementLine): number =>
  Number(a.at) - Number(b.at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
