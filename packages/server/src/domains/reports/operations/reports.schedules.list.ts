import { reportsSchedulesListOperation } from '@swath/contract/operations/reports.schedules.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toReportSchedule } from '../report-response.ts'
import { listReportSchedules } from '../store.schedules.ts'

export const handler = defineHandler(reportsSchedulesListOperation, async (call, input) => {
  const { organization, principal } = call
  if (principal.user === null) return toListPage('schedules', { rows: [], total: 0 }, input)
  const { limit, offset } = input
  const { rows, total } = await listReportSchedules(call.db, { organization, user: principal.user, limit, offset })
  return toListPage('schedules', { rows: rows.map(toReportSchedule), total }, input)
})
