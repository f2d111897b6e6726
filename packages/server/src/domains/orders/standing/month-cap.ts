import { Problem } from '../../../engine/problem.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { toMonthRange, toUtcMonth, type DateRange } from '../../contracts/months.ts'
import { sumOrderedCredits, type StandingOrderRow } from './store.standing-orders.ts'

export const toOrganizationMonth = (now: OrganizationTime): DateRange => toMonthRange(toUtcMonth(now))

/** Thrown if an order would exceed the cap of the month. */
export class StandingOrderCapReached extends Problem {
  readonly month_credits: number

  constructor({ max_credits_per_month }: StandingOrderRow, month_credits: number, credits: number) {
    super(
      'spend-limit-exceeded',
      `The scene costs ${credits} credits, and ${month_credits} of the ${max_credits_per_month} of this month are used.`,
    )
    this.month_credits = month_credits
  }
}

/** The cost of this month's orders so far, by standing order. */
export const sumStandingOrderMonthCredits = (
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
  now: OrganizationTime,
): Promise<Map<string, number>> => sumOrderedCredits(db, organization, ids, toOrganizationMonth(now).start)

/** Throws `StandingOrderCapReached` if the credits do not fit. Without a lock on the row the answer may change. */
export async function requireStandingOrderMonthCap(
  db: SqlStatementRunner,
  organization: string,
  row: StandingOrderRow,
  { credits, now }: { readonly credits: number; readonly now: OrganizationTime },
): Promise<void> {
  const month_credits = (await sumStandingOrderMonthCredits(db, organization, [row.id], now)).get(row.id) ?? 0
  if (month_credits + credits > row.max_credits_per_month)
    throw new StandingOrderCapReached(row, month_credits, credits)
}
