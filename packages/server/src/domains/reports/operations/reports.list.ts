import { reportsListOperation } from '@swath/contract/operations/reports.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toReport } from '../report-response.ts'
import { listReports } from '../store.reports.ts'

export const handler = defineHandler(reportsListOperation, async (call, input) => {
  const { organization, principal } = call
  if (principal.user === null) return toListPage('reports', { rows: [], total: 0 }, input)
  const { limit, offset } = input
  const page = { organization, user: principal.user, limit, offset }
  const { rows, total } = await listReports(call.db, page)
  return toListPage('reports', { rows: await Promise.all(rows.map((row) => toReport(call, row))), total }, input)
})
