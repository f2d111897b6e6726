import { reportsGetOperation } from '@swath/contract/operations/reports.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createReportNotFoundProblem, toReport } from '../report-response.ts'
import { findReport } from '../store.reports.ts'

export const handler = defineHandler(reportsGetOperation, async (call, { report_id }) => {
  const { organization, principal } = call
  const row = principal.user && (await findReport(call.db, { organization, user: principal.user, id: report_id }))
  if (!row) throw createReportNotFoundProblem(report_id)
  return toReport(call, row)
})
