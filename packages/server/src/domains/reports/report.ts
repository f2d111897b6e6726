import { day_ms } from '@swath/geo/time-units.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../engine/call.ts'

/** The reader for whom a report is generated: a call, or a user for whom a schedule runs. */
export interface ReportViewer extends Pick<
  Call,
  'organization' | 'principal' | 'db' | 'clock' | 'processServices' | 'signal'
> {
  /** True for a task: its jobs wait in the queue of the worker as long as they must. */
  readonly background?: boolean
}

/** The records that a report covers. Times are those of the organization; the end is not included. */
export interface ReportScope {
  readonly organization: string
  /** The projects that are reported on. */
  readonly projects: readonly string[]
  /** True includes records that belong to no project, such as fees and calls. */
  readonly withoutProject: boolean
  readonly from: Date
  readonly to: Date
  /** The area of a report on an area. */
  readonly area: AreaGeometry | null
  /** Rows are summed by day or by month, in UTC. */
  readonly period: ReportPeriod
}

export type ReportPeriod = 'day' | 'month'

export type ReportRow = Readonly<Record<string, string | number | null>>

const max_days_by_day = 92

/** Days for at most 92 days, months for more: a report stays short enough to be read. */
export const chooseReportGranularity = (from: Date, to: Date): ReportPeriod =>
  to.getTime() - from.getTime() <= max_days_by_day * day_ms ? 'day' : 'month'

/** The sum of each of these columns over all rows, and the number of rows. */
export const sumReportColumns = (rows: readonly ReportRow[], columns: readonly string[]): Record<string, number> => ({
  rows: rows.length,
  ...Object.fromEntries(
    columns.map((column) => [column, rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)]),
  ),
})
