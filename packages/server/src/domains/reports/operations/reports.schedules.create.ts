import { limits } from '@swath/contract/limits.ts'
import { reportsSchedulesCreateOperation } from '@swath/contract/operations/reports.schedules.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { getCallingApiKeyId } from '../../../engine/principal.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireFormats } from '../report-data.ts'
import { readInterval, readSubject, resolveScope } from '../report-request.ts'
import { requireReportUser, toReportSchedule } from '../report-response.ts'
import { nextRun } from '../report-times.ts'
import { insertSchedule, lockAndCountSchedules, type ReportScheduleRow } from '../store.schedules.ts'

export const handler = defineHandler(reportsSchedulesCreateOperation, async (call, input) => {
  const user_id = requireReportUser(call)
  const subject = readSubject(input)
  requireFormats(subject, input.formats)
  const created_at = call.clock.now()
  // Refuses a project that the caller cannot read.
  await resolveScope(call, subject, readInterval({}, created_at))
  const row: ReportScheduleRow = {
    ...subject,
    id: newId(),
    user_id,
    created_by_key: getCallingApiKeyId(call.principal),
    name: input.name,
    formats: input.formats,
    frequency: input.frequency,
    next_run_at: nextRun(created_at, input.frequency),
    last_run_at: null,
    ended_reason: null,
    created_at,
  }
  await call.transaction(async (tx) => {
    if ((await lockAndCountSchedules(tx, call.organization, user_id)) >= limits.max_report_schedules)
      throw new Problem('quota-exceeded', `You have ${limits.max_report_schedules} schedules; delete one first.`)
    await insertSchedule(tx, call.organization, row)
  })
  return toReportSchedule(row)
})
