import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { StrictObject, OkResultWithId, Uuid } from '../schemas/primitives.ts'
import {
  ReportFormats,
  ReportFrequency,
  ReportName,
  ReportSchedule,
  reportSubjectFields,
} from '../schemas/reporting/report.ts'

export const reportsSchedulesCreateOperation = operation({
  id: 'reports.schedules.create',
  scope: 'reports:write',
  effect: 'compute',
  summary: 'Generate a report regularly and send it to the caller by e-mail.',
  input: StrictObject({ name: ReportName, ...reportSubjectFields, formats: ReportFormats, frequency: ReportFrequency }),
  output: ReportSchedule,
  status: 201,
  problems: ['not-found', 'not-a-member', 'quota-exceeded', 'user-required'],
  extension: true,
})

export const reportsSchedulesListOperation = operation({
  id: 'reports.schedules.list',
  scope: 'reports:read',
  effect: 'read',
  summary: 'List the schedules of reports of the caller, newest first.',
  input: StrictObject({ ...offsetPaging(limits.short_offset_limit) }),
  output: ListEnvelope('schedules', ReportSchedule),
  paging: 'offset',
  extension: true,
})

export const reportsSchedulesDeleteOperation = operation({
  id: 'reports.schedules.delete',
  scope: 'reports:write',
  effect: 'destructive',
  summary: 'Delete a schedule; the reports that it has generated stay.',
  input: StrictObject({ schedule_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found'],
  extension: true,
})
