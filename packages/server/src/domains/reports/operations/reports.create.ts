import { reportsCreateOperation } from '@swath/contract/operations/reports.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireReportFormats } from '../report-data.ts'
import { readReportInterval, parseReportSubject } from '../report-request.ts'
import { requireReportUser, toReport } from '../report-response.ts'
import { saveReport } from '../save-report.ts'

export const handler = defineHandler(reportsCreateOperation, async (call, input) => {
  const user = requireReportUser(call)
  const subject = parseReportSubject(input)
  requireReportFormats(subject, input.formats)
  const interval = readReportInterval(input, call.clock.now())
  const { name = null, formats } = input
  return toReport(
    call,
    await saveReport(call, call.blobs, { user, name, subject, interval, formats, schedule_id: null }),
  )
})
