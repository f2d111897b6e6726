import { reportsSchedulesDeleteOperation } from '@swath/contract/operations/reports.schedules.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { deleteReportSchedule } from '../store.schedules.ts'

export const handler = defineHandler(reportsSchedulesDeleteOperation, async (call, { schedule_id }) => {
  const { organization, principal } = call
  const isDeleted = await call.transaction(
    async (tx) =>
      principal.user !== null && (await deleteReportSchedule(tx, organization, principal.user, schedule_id)),
  )
  if (!isDeleted) throw new Problem('not-found', `No schedule of yours has the id "${schedule_id}".`)
  return { ok: true, id: schedule_id }
})
