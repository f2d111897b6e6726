import { reportsGenerateOperation } from '@swath/contract/operations/reports.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { sumReportColumns } from '../report.ts'
import { readReportInterval, parseReportSubject, resolveReportScope } from '../report-request.ts'
import { reportTypes } from '../report-types.ts'

export const handler = defineHandler(reportsGenerateOperation, async (call, input) => {
  const generated_at = call.clock.now()
  const subject = parseReportSubject(input)
  const { from, to } = readReportInterval(input, generated_at)
  const { list, summed } = reportTypes[subject.report_type]
  const rows = await list(call, await resolveReportScope(call, subject, { from, to }))
  return {
    report_type: subject.report_type,
    generated_at: generated_at.toISOString(),
    from: from.toISOString(),
    to: to.toISOString(),
    rows,
    totals: sumReportColumns(rows, summed),
  }
})
