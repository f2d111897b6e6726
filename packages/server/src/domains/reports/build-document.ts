import { day_ms } from '@swath/geo/time-units.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { Geometry } from 'geojson'
import type { ReportMapFeature, ReportChart, ReportDocument, ReportMap } from './pdf/report-document.ts'
import type { ReportRow } from './report.ts'
import type { ReportData } from './report-data.ts'
import { isolateBidiText } from '../../platform/pdf-text/isolates.ts'
import { chooseReportByteUnit, reportLayoutsByType, formatReportBytes, formatReportNumber } from './report-layouts.ts'

/** Rows of the table in a PDF; all of them are in the CSV file. */
const max_table_rows = 500
const max_map_features = 2000

/** Composes what the PDF of a report shows. */
export function buildReportDocument(data: ReportData, name: string): ReportDocument {
  const { subject, rows, names, generated_at } = data
  const layout = reportLayoutsByType[subject.report_type]
  return {
    title: name,
    subtitle: `${layout.title} · ${formatReportInterval(data)} · ${isolateBidiText(data.organization_name)}`,
    facts: listFacts(data),
    charts: layout.charts.map((chart) => buildChart(data, chart)),
    map: buildMap(data, layout),
    table: {
      title: 'Details',
      columns: layout.columns,
      rows: rows.slice(0, max_table_rows).map((row) => layout.columns.map(({ value }) => value(row, names))),
      omitted: Math.max(0, rows.length - max_table_rows),
    },
    footer: `Generated ${generated_at.toISOString().slice(0, 16).replace('T', ' ')} UTC · ${isolateBidiText(data.organization_name)}`,
  }
}

const formatDay = new Intl.DateTimeFormat('en-AU', { dateStyle: 'medium', timeZone: 'UTC' })

/** The days of the interval; one that ends at midnight does not include the day that begins then. */
export const formatReportInterval = ({ scope }: Pick<ReportData, 'scope'>): string =>
  `${formatDay.format(scope.from)} to ${formatDay.format(new Date(scope.to.getTime() - 1))} (UTC)`

function listFacts(data: ReportData): (readonly [string, string])[] {
  const { subject, scope, names, totals, cover } = data
  const { totals: labels } = reportLayoutsByType[subject.report_type]
  const project = subject.project_id === null ? 'All accessible' : (names.get(subject.project_id) ?? '–')
  const facts: (readonly [string, string])[] = [[subject.project_id === null ? 'Projects' : 'Project', project]]
  if (scope.area !== null) {
    if (subject.area_name !== null) facts.push(['Area', subject.area_name])
    facts.push(['Size', `${formatDecimal.format(geometryArea_km2(scope.area))} km²`])
  }
  if (cover !== null) {
    const percent = `${formatDecimal.format(cover.fraction * 100)} %`
    facts.push(['Covered at least once', cover.isLowerBound ? `${percent} or more` : percent])
  }
  return [
    ...facts,
    ...Object.entries(labels).map(([total, label]) => [label, showTotal(total, totals[total])] as const),
  ]
}

const showTotal = (column: string, value: number | undefined): string =>
  column.endsWith('_bytes') ? formatReportBytes(value) : formatReportNumber(value)

const formatDecimal = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 })

type LayoutChart = (typeof reportLayoutsByType)['usage']['charts'][number]

function buildChart(data: ReportData, { title, unit, by, column }: LayoutChart): ReportChart {
  const sums = new Map<string, number>()
  const labels = by === 'period' ? listPeriods(data) : []
  for (const label of labels) sums.set(label, 0)
  for (const row of data.rows) {
    const value = column === null ? 1 : Number(row[column] ?? 0)
    const key = by === 'period' ? periodOf(row, data) : row[by]
    const isAbsent = key === null || key === undefined
    if (isAbsent && (by !== 'project_id' || value === 0)) continue
    const label = isAbsent ? 'No project' : (data.names.get(String(key)) ?? String(key))
    sums.set(label, (sums.get(label) ?? 0) + value)
  }
  const scale = unit === 'bytes' ? chooseReportByteUnit(Math.max(0, ...sums.values())) : { unit, divisor: 1 }
  const values = [...sums].map(([label, value]) => ({ label, value: value / scale.divisor }))
  if (by === 'period') return { title, unit: scale.unit, kind: 'columns', values }
  return { title, unit: scale.unit, kind: 'bars', values: values.toSorted((left, right) => right.value - left.value) }
}

/** The day or month of a row; rows of an area have a time instead. */
const periodOf = (row: ReportRow, { scope }: ReportData): string =>
  String(row['period'] ?? row['acquired_at']).slice(0, scope.period === 'day' ? 10 : 7)

/** Every day or month of the interval, also those without rows. */
function listPeriods({ scope }: ReportData): string[] {
  const length = scope.period === 'day' ? 10 : 7
  const periods = new Set<string>()
  for (let time = scope.from.getTime(); time < scope.to.getTime(); time += day_ms)
    periods.add(new Date(time).toISOString().slice(0, length))
  periods.add(new Date(scope.to.getTime() - 1).toISOString().slice(0, length))
  return [...periods]
}

function buildMap(
  { subject, scope, places }: ReportData,
  { map_title: title, map_legend: legend }: (typeof reportLayoutsByType)['usage'],
): ReportMap | null {
  const footprints: ReportMapFeature[] = places.slice(0, max_map_features).map(({ geometry, properties }) => ({
    geometry,
    role: 'footprint',
    // A label on each of the footprints over one area would hide them.
    label: scope.area === null && typeof properties['name'] === 'string' ? properties['name'] : null,
  }))
  const area: ReportMapFeature[] =
    scope.area === null ? [] : [{ geometry: scope.area as unknown as Geometry, role: 'area', label: subject.area_name }]
  const features = [...footprints, ...area]
  if (features.length === 0) return null
  return { title, legend, features, omitted: Math.max(0, places.length - max_map_features) }
}
