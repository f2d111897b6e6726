import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sumRevenueByMonth } from './store.activity.ts'

/**
 * Credits that an organization was charged in an interval, the end not included, less refunds; at least zero for each
 * month.
 *
 * @param projects only for orders and jobs of these projects; null for everything.
 */
export async function sumChargedCredits(
  db: SqlStatementRunner,
  organization: string,
  interval: { readonly from: Date; readonly to: Date },
  projects: readonly string[] | null,
): Promise<number> {
  const months = await sumRevenueByMonth(db, organization, interval, projects)
  return months.reduce((sum, { credits }) => sum + credits, 0)
}
