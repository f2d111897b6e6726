import type { ReportColumn } from './pdf/report-document.ts'
import type { ReportRow } from './report.ts'
import type { ReportType } from './report-types.ts'

/** A column of the table, with its text for a row; `names` has the names of projects and collections by id. */
interface LayoutColumn extends ReportColumn {
  readonly value: (row: ReportRow, names: ReadonlyMap<string, string>) => string
}

/** A chart that adds up a column of the rows. */
interface LayoutChart {
  readonly title: string
  /** `bytes` becomes MB, GB or TB. */
  readonly unit: string
  /** Over time if it is `period`, else one bar for each value of this column. */
  readonly by: string
  /** Null counts the rows. */
  readonly column: string | null
}

interface ReportLayout {
  readonly title: string
  readonly charts: readonly LayoutChart[]
  readonly columns: readonly LayoutColumn[]
  /** Label of each total that is shown above the charts. */
  readonly totals: Readonly<Record<string, string>>
  readonly map_title: string
  /** The legend for the footprints of the map. */
  readonly map_legend: string
}

const integer = new Intl.NumberFormat('en-AU')
const decimal = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 })

/** Shows a value; an absent one is a dash. */
export const formatReportNumber = (value: unknown): string =>
  value === null || value === undefined ? '–' : integer.format(Number(value))

const byteUnits = [
  { unit: 'TB', divisor: 1e12 },
  { unit: 'GB', divisor: 1e9 },
  { unit: 'MB', divisor: 1e6 },
] as const

/** The largest unit of which there is at least one; MB for less. */
export const chooseReportByteUnit = (bytes: number): (typeof byteUnits)[number] =>
  byteUnits.find(({ divisor }) => bytes >= divisor) ?? byteUnits[2]

export function formatReportBytes(bytes: unknown): string {
  const { unit, divisor } = chooseReportByteUnit(Number(bytes ?? 0))
  return `${decimal.format(Number(bytes ?? 0) / divisor)} ${unit}`
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined

const text = (title: string, column: string, weight: number, absent = '–'): LayoutColumn => ({
  title,
  weight,
  value: (row) => (isAbsent(row[column]) ? absent : String(row[column])),
})

/** A date or a month, which is never cut. */
const date = (title: string, column: string): LayoutColumn => ({ ...text(title, column, 0), fits: true })

/** A word of the API, such as `FAILED_PERMANENTLY`, as people read it. */
const word = (title: string, column: string, weight: number): LayoutColumn => ({
  title,
  weight,
  value: (row) => formatReportWord(String(row[column] ?? '–')),
})

export const formatReportWord = (value: string): string =>
  `${value.slice(0, 1).toUpperCase()}${value.slice(1).toLowerCase().replaceAll('_', ' ')}`

const named = (title: string, column: string, weight: number, absent: string): LayoutColumn => ({
  title,
  weight,
  value: (row, names) => (isAbsent(row[column]) ? absent : (names.get(String(row[column])) ?? '–')),
})

const numeric = (title: string, value: LayoutColumn['value']): LayoutColumn => ({
  title,
  weight: 0,
  fits: true,
  align: 'right',
  value,
})

const number = (title: string, column: string): LayoutColumn => numeric(title, (row) => formatReportNumber(row[column]))

const byteSize = (title: string, column: string): LayoutColumn =>
  numeric(title, (row) => formatReportBytes(row[column]))

const percent = (title: string, column: string): LayoutColumn =>
  numeric(title, (row) => (isAbsent(row[column]) ? '–' : `${decimal.format(Number(row[column]))} %`))

const period = date('Period, UTC', 'period')
const project = named('Project', 'project_id', 4, 'No project')
const collection = named('Collection', 'collection_id', 4, 'No collection')

export const reportLayoutsByType: Readonly<Record<ReportType, ReportLayout>> = {
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
      word('Type', 'type', 1.5),
      word('Status', 'status', 2.5),
      number('Orders', 'orders'),
      number('Priced, credits', 'total_credits'),
      number('Charged, credits', 'captured_credits'),
    ],
    totals: { orders: 'Orders', total_credits: 'Priced, credits', captured_credits: 'Charged, credits' },
    map_title: 'Where the ordered areas are',
    map_legend: 'Ordered areas',
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
    map_title: 'Where the areas of charged orders are',
    map_legend: 'Areas of charged orders',
  },
  usage: {
    title: 'Usage',
    charts: [
      { title: 'Calls', unit: 'calls', by: 'period', column: 'calls' },
      { title: 'Egress', unit: 'bytes', by: 'period', column: 'egress_bytes' },
      { title: 'Calls by operation', unit: 'calls', by: 'operation', column: 'calls' },
    ],
    columns: [
      period,
      text('Operation', 'operation', 5, 'Downloads'),
      number('Calls', 'calls'),
      number('Failed', 'failed_calls'),
      number('Time, ms', 'duration_ms'),
      byteSize('Egress', 'egress_bytes'),
    ],
    totals: { calls: 'Calls', failed_calls: 'Failed calls', transfers: 'Downloads', egress_bytes: 'Egress' },
    map_title: '',
    map_legend: '',
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
      word('Status', 'status', 2.5),
      number('Jobs', 'jobs'),
      number('Charged, credits', 'captured_credits'),
    ],
    totals: { jobs: 'Jobs', captured_credits: 'Charged, credits' },
    map_title: '',
    map_legend: '',
  },
  inventory: {
    title: 'Inventory',
    charts: [
      { title: 'Stored by project', unit: 'bytes', by: 'project_id', column: 'file_bytes' },
      { title: 'Items by project', unit: 'items', by: 'project_id', column: 'items' },
    ],
    columns: [
      project,
      collection,
      date('From, UTC', 'first_day'),
      date('To, UTC', 'last_day'),
      number('Items', 'items'),
      number('Files', 'assets'),
      byteSize('Size', 'file_bytes'),
    ],
    totals: { items: 'Items', assets: 'Files', file_bytes: 'Size' },
    map_title: 'Footprints of the items',
    map_legend: 'Footprints of items',
  },
  area_monitoring: {
    title: 'Area monitoring',
    charts: [
      { title: 'Acquisitions', unit: 'items', by: 'period', column: null },
      { title: 'Acquisitions by project', unit: 'items', by: 'project_id', column: null },
    ],
    columns: [
      {
        title: 'Acquired, UTC',
        weight: 0,
        fits: true,
        value: (row) => String(row['acquired_at']).slice(0, 16).replace('T', ' '),
      },
      text('Item', 'name', 6),
      collection,
      percent('Cover', 'covered_percent'),
      percent('Cloud', 'cloud_cover'),
      number('Alerts', 'alerts'),
    ],
    totals: { rows: 'Acquisitions', alerts: 'Alerts' },
    map_title: 'The area and the footprints of its items',
    map_legend: 'Footprints of items',
  },
}
