import type { ReportColumn } from './pdf/report-document.ts'
import type { ReportRow } from './report.ts'
import type { ReportType } from './report-types.ts'

/** How a column of the table shows a row; `names` has the names of projects and collections by id. */
interface LayoutColumn extends ReportColumn {
  readonly value: (row: ReportRow, names: ReadonlyMap<string, string>) => string
}

/** A chart that adds up a column of the rows. */
interface LayoutChart {
  readonly title: string
  readonly unit: string
  /** Over time if it is `period`, else one bar for each value of this column. */
  readonly by: string
  /** Null counts the rows. */
  readonly column: string | null
  /** The values are divided by this. */
  readonly divisor?: number
}

interface ReportLayout {
  readonly title: string
  readonly charts: readonly LayoutChart[]
  readonly columns: readonly LayoutColumn[]
  /** Label of each total that is shown above the charts. */
  readonly totals: Readonly<Record<string, string>>
  readonly map_title: string
}

const integer = new Intl.NumberFormat('en-AU')
const decimal = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 })

/** Shows a value; an absent one is a dash. */
export const showNumber = (value: unknown): string =>
  value === null || value === undefined ? '–' : integer.format(Number(value))

const bytesPerMegabyte = 1_000_000

export const showBytes = (bytes: unknown): string => `${decimal.format(Number(bytes ?? 0) / bytesPerMegabyte)} MB`

const text = (title: string, column: string, weight: number): LayoutColumn => ({
  title,
  weight,
  value: (row) => (row[column] === null || row[column] === undefined ? '–' : String(row[column])),
})

const named = (title: string, column: string, weight: number): LayoutColumn => ({
  title,
  weight,
  value: (row, names) => names.get(String(row[column])) ?? '–',
})

const number = (title: string, column: string, weight = 2): LayoutColumn => ({
  title,
  weight,
  align: 'right',
  value: (row) => showNumber(row[column]),
})

const megabytes = (title: string, column: string): LayoutColumn => ({
  title,
  weight: 2,
  align: 'right',
  value: (row) => showBytes(row[column]),
})

const percent = (title: string, column: string): LayoutColumn => ({
  title,
  weight: 2,
  align: 'right',
  value: (row) =>
    row[column] === null || row[column] === undefined ? '–' : `${decimal.format(Number(row[column]))} %`,
})

const period = text('Period', 'period', 2)
const project = named('Project', 'project_id', 4)

export const reportLayouts: Readonly<Record<ReportType, ReportLayout>> = {
  orders: {
    title: 'Orders',
    charts: [
      { title: 'Orders placed', unit: 'orders', by: 'period', column: 'orders' },
      { title: 'Charged for these orders', unit: 'credits', by: 'period', column: 'captured_credits' },
      { title: 'Orders by project', unit: 'orders', by: 'project_id', column: 'orders' },
    ],
    columns: [
      period,
      project,
      text('Type', 'type', 2),
      text('Status', 'status', 3),
      number('Orders', 'orders'),
      number('Priced', 'total_credits'),
      number('Charged', 'captured_credits'),
    ],
    totals: { orders: 'Orders', total_credits: 'Priced, credits', captured_credits: 'Charged, credits' },
    map_title: 'Where was ordered',
  },
  spending: {
    title: 'Spending',
    charts: [
      { title: 'Spending', unit: 'credits', by: 'period', column: 'credits' },
      { title: 'Spending by product', unit: 'credits', by: 'product', column: 'credits' },
      { title: 'Spending by project', unit: 'credits', by: 'project_id', column: 'credits' },
    ],
    columns: [
      period,
      project,
      text('Product', 'product', 5),
      number('Charges', 'charges'),
      number('Credits', 'credits'),
    ],
    totals: { credits: 'Spent, credits', charges: 'Charges' },
    map_title: 'Where was bought',
  },
  usage: {
    title: 'Usage',
    charts: [
      { title: 'Calls', unit: 'calls', by: 'period', column: 'calls' },
      { title: 'Egress', unit: 'MB', by: 'period', column: 'egress_bytes', divisor: bytesPerMegabyte },
      { title: 'Calls by operation', unit: 'calls', by: 'operation', column: 'calls' },
    ],
    columns: [
      period,
      text('Operation', 'operation', 5),
      number('Calls', 'calls'),
      number('Failed', 'failed_calls'),
      number('Time, ms', 'duration_ms'),
      megabytes('Egress', 'egress_bytes'),
    ],
    totals: { calls: 'Calls', failed_calls: 'Failed calls', transfers: 'Downloads' },
    map_title: '',
  },
  processing: {
    title: 'Processing',
    charts: [
      { title: 'Jobs', unit: 'jobs', by: 'period', column: 'jobs' },
      { title: 'Charged by process', unit: 'credits', by: 'process_id', column: 'captured_credits' },
    ],
    columns: [
      period,
      project,
      text('Process', 'process_id', 4),
      text('Status', 'status', 3),
      number('Jobs', 'jobs'),
      number('Charged', 'captured_credits'),
    ],
    totals: { jobs: 'Jobs', captured_credits: 'Charged, credits' },
    map_title: '',
  },
  inventory: {
    title: 'Inventory',
    charts: [
      { title: 'Stored by project', unit: 'MB', by: 'project_id', column: 'file_bytes', divisor: bytesPerMegabyte },
      { title: 'Items by project', unit: 'items', by: 'project_id', column: 'items' },
    ],
    columns: [
      project,
      named('Collection', 'collection_id', 4),
      text('From', 'first_day', 2),
      text('To', 'last_day', 2),
      number('Items', 'items'),
      number('Files', 'assets'),
      megabytes('Size', 'file_bytes'),
    ],
    totals: { items: 'Items', assets: 'Files' },
    map_title: 'Footprints of the items',
  },
  area_monitoring: {
    title: 'Area monitoring',
    charts: [
      { title: 'Acquisitions', unit: 'items', by: 'period', column: null },
      { title: 'Acquisitions by project', unit: 'items', by: 'project_id', column: null },
    ],
    columns: [
      { title: 'Acquired, UTC', weight: 3, value: (row) => String(row['acquired_at']).slice(0, 16).replace('T', ' ') },
      text('Item', 'name', 6),
      named('Collection', 'collection_id', 4),
      percent('Cover', 'covered_percent'),
      percent('Cloud', 'cloud_cover'),
      number('Alerts', 'alerts', 1.5),
    ],
    totals: { rows: 'Acquisitions', alerts: 'Alerts' },
    map_title: 'The area and the footprints of its items',
  },
}
