import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { measureEachCover } from './measure-cover.ts'
import type { ReportRow, ReportScope, ReportViewer } from './report.ts'
import { listInventoryItems, listOrderSums, listProcessingSums, listSpendingSums } from './store.ts'
import {
  listItemsInReportArea,
  listInventoryGeometries,
  listOrderGeometries,
  listChargedOrderPlaces,
  type ReportGeometry,
} from './store.places.ts'
import { listUsageSums } from './store.usage.ts'

export type ReportType = 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'
export type ReportFormat = 'pdf' | 'csv' | 'geojson'

/** The queries of a report, and the columns that its totals sum. */
interface ReportDefinition {
  readonly list: (viewer: ReportViewer, scope: ReportScope) => Promise<ReportRow[]>
  readonly summed: readonly string[]
  /** Lists the features of its map, whose properties may be those of the rows; null for a report without locations. */
  readonly listPlaces: ListPlaces | null
}

type ListPlaces = (
  db: SqlStatementRunner,
  scope: ReportScope,
  limit: number,
  rows: readonly ReportRow[],
) => Promise<ReportGeometry[]>

const fromDatabase =
  (list: (db: SqlStatementRunner, scope: ReportScope) => Promise<ReportRow[]>): ReportDefinition['list'] =>
  ({ db }, scope) =>
    list(db, scope)

/** Items of a monitored area that a report lists. */
const max_area_items = 5000

export const reportTypes: Readonly<Record<ReportType, ReportDefinition>> = {
  orders: {
    list: fromDatabase(listOrderSums),
    summed: ['orders', 'total_credits', 'captured_credits', 'refunded_credits'],
    listPlaces: listOrderGeometries,
  },
  spending: {
    list: fromDatabase(listSpendingSums),
    summed: ['charges', 'credits'],
    listPlaces: listChargedOrderPlaces,
  },
  usage: {
    list: fromDatabase(listUsageSums),
    summed: ['calls', 'failed_calls', 'duration_ms', 'egress_bytes', 'transfers'],
    listPlaces: null,
  },
  processing: { list: fromDatabase(listProcessingSums), summed: ['jobs', 'captured_credits'], listPlaces: null },
  inventory: {
    list: fromDatabase(listInventoryItems),
    summed: ['items', 'assets', 'file_bytes'],
    listPlaces: listInventoryGeometries,
  },
  area_monitoring: {
    list: listAreaRows,
    summed: ['alerts'],
    listPlaces: async (db, scope, limit, rows) => {
      const rowsById = new Map(rows.map((row) => [row['item_id'], row]))
      return (await listItemsInReportArea(db, scope, limit)).flatMap(({ item_id, geometry }) => {
        const properties = rowsById.get(item_id)
        return properties ? [{ geometry, properties }] : []
      })
    },
  },
}

/** The items of an area with the share of it that each covers, in percent with one decimal; null if that takes too long to measure. */
async function listAreaRows(viewer: ReportViewer, scope: ReportScope): Promise<ReportRow[]> {
  const items = await listItemsInReportArea(viewer.db, scope, max_area_items)
  const footprints = items.map(({ geometry }) => geometry)
  const fractions = scope.area === null ? [] : await measureEachCover(viewer, scope.area, footprints)
  return items.map((item, at) => {
    const { geometry: _, acquired_at, ...row } = item
    const fraction = fractions[at] ?? null
    const covered_percent = fraction === null ? null : Math.round(fraction * 1000) / 10
    return { acquired_at: acquired_at.toISOString(), ...row, covered_percent }
  })
}
