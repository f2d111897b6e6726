import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Area } from '../geojson.ts'
import { Count, Nullable, OptionalNullable, Timestamp, Uuid, WithDescription } from '../primitives.ts'

export const reportTypeNames = ['orders', 'spending', 'usage', 'processing', 'inventory', 'area_monitoring'] as const

export const ReportTypeName = Type.Enum([...reportTypeNames], {
  description:
    'Subject of the report. `inventory` is what exists now; `area_monitoring` is the items acquired of an area, and needs `area`.',
})

export const ReportFormat = Type.Enum(['pdf', 'csv', 'geojson'], {
  description:
    '`pdf` has charts and a map; `geojson` is for reports on things with a place: orders, spending, inventory and areas.',
})

export const ReportFormats = Type.Array(ReportFormat, {
  description: 'The files to make, each format once.',
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
})

export const ReportArea = WithDescription('The area of an `area_monitoring` report.', OptionalNullable(Area))

export const ReportAreaName = OptionalNullable(
  Type.String({
    minLength: 1,
    maxLength: limits.max_name_length,
    description: 'Name of the area, as the report prints it.',
  }),
)

export const ReportName = Type.String({
  minLength: 1,
  maxLength: limits.max_name_length,
  description: 'Title of the report.',
})

export const ReportFile = Type.Object({
  format: ReportFormat,
  media_type: Type.String(),
  size_bytes: Count,
  checksum_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  url: Type.String({ description: 'Signed; opens without a token until `expires_at`.' }),
  expires_at: WithDescription('When `url` expires; `reports.get` gives another one.', Timestamp),
})

/** A generated report with its files. */
export const Report = Type.Object({
  id: Uuid,
  name: Type.String(),
  report_type: ReportTypeName,
  project_id: Nullable(Uuid, { description: 'Null: all projects that its creator could read.' }),
  area_name: Nullable(Type.String()),
  from: Timestamp,
  to: Timestamp,
  schedule_id: Nullable(Uuid, { description: 'The schedule that generated it, which may have been deleted.' }),
  files: Type.Array(ReportFile),
  created_at: Timestamp,
  expires_at: Timestamp,
})

export type Report = Static<typeof Report>

export const ReportFrequency = Type.Enum(['daily', 'weekly', 'monthly'], {
  description:
    'Each report is about the last complete day, week from Monday or month, in UTC, and is sent at 6:00 UTC.',
})

/** Reports that are generated regularly and sent to their creator. */
export const ReportSchedule = Type.Object({
  id: Uuid,
  name: Type.String(),
  report_type: ReportTypeName,
  formats: ReportFormats,
  project_id: Nullable(Uuid),
  area: Nullable(Area),
  area_name: Nullable(Type.String()),
  frequency: ReportFrequency,
  next_run_at: Nullable(Timestamp, { description: 'Null for a schedule that has ended.' }),
  last_run_at: Nullable(Timestamp),
  ended_reason: Nullable(Type.String(), {
    description: 'Why it has ended, such as that its creator cannot read the project any more.',
  }),
  created_at: Timestamp,
})

export type ReportSchedule = Static<typeof ReportSchedule>

/** The subject of a report. */
export const reportSubjectFields = {
  report_type: ReportTypeName,
  project_id: WithDescription('Defaults to all projects that the caller may read.', OptionalNullable(Uuid)),
  area: ReportArea,
  area_name: ReportAreaName,
}
