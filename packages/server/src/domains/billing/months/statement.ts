import type { DeliveredLine } from '../commitments/commitment-rollup.ts'
import { isWithin, monthSpan } from './months.ts'

/** What was charged to an organization that is billed monthly. */
export interface StatementLine extends DeliveredLine {
  readonly id: string
  readonly unit: string
  readonly order_id: string | null
  /** Flagged: delivered under this commitment. Null where it was charged at the ordinary price. */
  readonly commitment_id: string | null
}

export interface MonthStatement {
  /** `YYYY-MM`, UTC. */
  readonly period: string
  /** Oldest first. */
  readonly lines: readonly StatementLine[]
  readonly total_cents: number
  /** The part of the total that counts for commitments: the sum of the flagged lines. */
  readonly committed_cents: number
  readonly closed: boolean
}

/**
 * The statement of one month from the lines of any time. A month that was closed is what was written down then, whatever
 * the lines say later: corrections are lines of the month in which they are made.
 */
export function statementOf(
  period: string,
  lines: readonly StatementLine[],
  fixed: MonthStatement | null,
): MonthStatement {
  if (fixed?.closed && fixed.period === period) return fixed
  const span = monthSpan(period)
  const within = lines.filter(({ at }) => isWithin(span, at)).sort(byTime)
  return {
    period,
    lines: within,
    total_cents: sum(within),
    committed_cents: sum(within.filter(({ commitment_id }) => commitment_id !== null)),
    closed: false,
  }
}

/** What is written down when a month is closed. */
export const closeStatement = (statement: MonthStatement): MonthStatement => ({ ...statement, closed: true })

const sum = (lines: readonly StatementLine[]): number => lines.reduce((total, line) => total + line.amount_cents, 0)

const byTime = (a: StatementLine, b: StatementLine): number =>
  Number(a.at) - Number(b.at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
