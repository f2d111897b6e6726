import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { ReportRow, ReportScope } from './report.ts'
import { listInventoryItems, listOrderSums, listProcessingSums, listSpendingSums } from './store.ts'
import {
  listItemsInReportArea,
  listInventoryGeometries,
  listOrderGeometries,
  listChargedOrderPlaces,
  type MonitoredAreaItemRow,
  type ReportGeometry,
} from './store.places.ts'
import { listUsageSums } from './store.usage.ts'

export type ReportType = 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'
export type ReportFormat = 'pdf' | 'csv' | 'geojson'

/** The queries of a report, and the columns that its totals sum. */
interface ReportDefinition {
  readonly list: (db: SqlStatementRunner, scope: ReportScope) => Promise<ReportRow[]>
  readonly summed: readonly string[]
  /** Lists the features of its map; null for a report without locations. */
  readonly listPlaces: ((db: SqlStatementRunner, scope: ReportScope, limit: number) => Promise<ReportGeometry[]>) | null
}

/** Items of a monitored area that a report lists. */
const max_area_items = 5000

export const reportTypes: Readonly<Record<ReportType, ReportDefinition>> = {
  orders: {
    list: listOrderSums,
    summed: ['orders', 'total_credits', 'captured_credits', 'refunded_credits'],
    listPlaces: listOrderGeometries,
  },
  spending: { list: listSpendingSums, summed: ['charges', 'credits'], listPlaces: listChargedOrderPlaces },
  usage: {
    list: listUsageSums,
    summed: ['calls', 'failed_calls', 'duration_ms', 'egress_bytes', 'transfers'],
    listPlaces: null,
  },
  processing: { list: listProcessingSums, summed: ['jobs', 'captured_credits'], listPlaces: null },
  inventory: {
    list: listInventoryItems,
    summed: ['items', 'assets', 'file_bytes'],
    listPlaces: listInventoryGeometries,
  },
  area_monitoring: {
    list: async (db, scope) =>
      (await listItemsInReportArea(db, scope, max_area_items)).map((row) => toAreaRow(row, scope)),
    summed: ['alerts'],
    listPlaces: async (db, scope, limit) =>
      (await listItemsInReportArea(db, scope, limit)).map((row) => ({
        geometry: row.geometry as unknown as ReportGeometry['geometry'],
        properties: toAreaRow(row, scope),
      })),
  },
}

/** The share of the area that the item covers is in percent with one decimal. */
function toAreaRow({ geometry, acquired_at, ...row }: MonitoredAreaItemRow, { area }: ReportScope): ReportRow {
  const covered_percent = area === null ? null : Math.round(coveredFraction(area, [geometry]) * 1000) / 10
  return { acquired_at: acquired_at.toISOString(), ...row, covered_percent }
}
