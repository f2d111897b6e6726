import { limits } from '@swath/contract/limits.ts'
import { reportsSchedulesCreateOperation } from '@swath/contract/operations/reports.schedules.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { getCallingApiKeyId } from '../../../engine/principal.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireReportFormats } from '../report-data.ts'
import { readReportInterval, parseReportSubject, resolveReportScope } from '../report-request.ts'
import { requireReportUser, toReportSchedule } from '../report-response.ts'
import { computeNextReportRun } from '../report-times.ts'
import { insertReportSchedule, lockAndCountReportSchedules, type ReportScheduleRow } from '../store.schedules.ts'

export const handler = defineHandler(reportsSchedulesCreateOperation, async (call, input) => {
  const user_id = requireReportUser(call)
  const subject = parseReportSubject(input)
  requireReportFormats(subject, input.formats)
  const created_at = call.clock.now()
  // Refuses a project that the caller cannot read.
  await resolveReportScope(call, subject, readReportInterval({}, created_at))
  const row: ReportScheduleRow = {
    ...subject,
    id: newId(),
    user_id,
    created_by_key: getCallingApiKeyId(call.principal),
    name: input.name,
    formats: input.formats,
    frequency: input.frequency,
    next_run_at: computeNextReportRun(created_at, input.frequency),
    last_run_at: null,
    ended_reason: null,
    created_at,
  }
  await call.transaction(async (tx) => {
    if ((await lockAndCountReportSchedules(tx, call.organization, user_id)) >= limits.max_report_schedules)
      throw new Problem('quota-exceeded', `You have ${limits.max_report_schedules} schedules; delete one first.`)
    await insertReportSchedule(tx, call.organization, row)
  })
  return toReportSchedule(row)
})
