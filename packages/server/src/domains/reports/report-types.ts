import type { Queryable } from '../../platform/database/database.ts'
import type { ReportRow, ReportScope } from './report.ts'
import { listInventory, listOrderSums, listProcessingSums, listSpendingSums } from './store.ts'
import { listUsageSums } from './store.usage.ts'

/** How a report is made: its query, and the columns that its totals add up. */
interface ReportDefinition {
  readonly list: (db: Queryable, scope: ReportScope) => Promise<ReportRow[]>
  readonly summed: readonly string[]
}

export type ReportType = 'orders' | 'spending' | 'usage' | 'processing' | 'inventory'

export const reportTypes: Readonly<Record<ReportType, ReportDefinition>> = {
  orders: { list: listOrderSums, summed: ['orders', 'total_credits', 'captured_credits', 'refunded_credits'] },
  spending: { list: listSpendingSums, summed: ['charges', 'credits'] },
  usage: { list: listUsageSums, summed: ['calls', 'failed_calls', 'duration_ms', 'egress_bytes', 'transfers'] },
  processing: { list: listProcessingSums, summed: ['jobs', 'captured_credits'] },
  inventory: { list: listInventory, summed: ['items', 'assets', 'file_bytes'] },
}
