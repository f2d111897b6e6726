import { reportsDeleteOperation } from '@swath/contract/operations/reports.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteReport } from '../delete-report.ts'
import { createReportNotFoundProblem } from '../report-response.ts'
import { findReport } from '../store.reports.ts'

export const handler = defineHandler(reportsDeleteOperation, async (call, { report_id }) => {
  const { organization, principal } = call
  const row = principal.user && (await findReport(call.db, { organization, user: principal.user, id: report_id }))
  if (!row) throw createReportNotFoundProblem(report_id)
  await deleteReport(call, call, report_id)
  return { ok: true, id: report_id }
})
