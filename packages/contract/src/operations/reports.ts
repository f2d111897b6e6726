import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import {
  WithDescription,
  OptionalNullable,
  Timestamp,
  StrictObject,
  AnyObject,
  Uuid,
  OkResultWithId,
} from '../schemas/primitives.ts'
import { reportSubjectFields, Report, ReportFormats, ReportName } from '../schemas/reporting/report.ts'

/** The reporting interval. */
const interval = {
  from: WithDescription('Defaults to 30 days before `to`.', OptionalNullable(Timestamp)),
  to: WithDescription('Defaults to now.', OptionalNullable(Timestamp)),
}

export const reportsGenerateOperation = operation({
  id: 'reports.generate',
  scope: 'reports:read',
  effect: 'read',
  summary: 'Generate a report on the orders, spending, usage, processing, inventory or a monitored area as rows.',
  body_limit_bytes: null,
  input: StrictObject({ ...reportSubjectFields, ...interval }),
  output: Type.Object({
    report_type: Type.String(),
    generated_at: Timestamp,
    from: Timestamp,
    to: Timestamp,
    rows: WithDescription(
      'One object for each row. `covered_percent` of an item of a monitored area is null if its outline is too complex to measure.',
      Type.Array(AnyObject),
    ),
    totals: AnyObject,
  }),
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
})

export const reportsCreateOperation = operation({
  id: 'reports.create',
  scope: 'reports:write',
  effect: 'compute',
  summary: 'Generate a report as PDF with charts and a map, CSV and GeoJSON; the files are kept for 90 days.',
  body_limit_bytes: null,
  input: StrictObject({
    name: OptionalNullable(ReportName),
    ...reportSubjectFields,
    ...interval,
    formats: ReportFormats,
  }),
  output: Report,
  status: 201,
  problems: ['not-found', 'not-a-member', 'user-required', 'budget-exceeded'],
  extension: true,
})

export const reportsListOperation = operation({
  id: 'reports.list',
  scope: 'reports:read',
  effect: 'read',
  summary: 'List the reports that were generated for the caller, newest first.',
  input: StrictObject({ ...offsetPaging(limits.short_offset_limit) }),
  output: ListEnvelope('reports', Report),
  paging: 'offset',
  extension: true,
})

export const reportsGetOperation = operation({
  id: 'reports.get',
  scope: 'reports:read',
  effect: 'read',
  summary: 'Read a report that was generated for the caller, with signed URLs of its files.',
  input: StrictObject({ report_id: Uuid }),
  output: Report,
  problems: ['not-found'],
  extension: true,
})

export const reportsDeleteOperation = operation({
  id: 'reports.delete',
  scope: 'reports:write',
  effect: 'destructive',
  summary: 'Delete a report and its files.',
  input: StrictObject({ report_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found'],
  extension: true,
})
