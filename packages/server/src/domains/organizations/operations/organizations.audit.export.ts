import { organizationsAuditExportOperation } from '@swath/contract/operations/organizations.audit.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createNdjsonResponse, createTextResponse } from '../../../engine/operation-response.ts'
import { auditCsvHeader, toAuditCsvRow, toAuditExportLine } from '../../audit-trail/entry-json.ts'
import { readAuditExportPages, type ExportedAuditEntry } from '../../audit-trail/read-trail.ts'

export const handler = defineHandler(organizationsAuditExportOperation, async (call, { format, after, limit }) => {
  const range = { after, limit: limit ?? Number.MAX_SAFE_INTEGER }
  const pages = readAuditExportPages(call.db, call.organization, range)
  return format === 'csv' ? createTextResponse(writeCsv(pages), 'text/csv') : createNdjsonResponse(writeLines(pages))
})

type Pages = AsyncIterable<readonly ExportedAuditEntry[]>

async function* writeLines(pages: Pages): AsyncGenerator<ReturnType<typeof toAuditExportLine>> {
  for await (const page of pages) yield* page.map(toAuditExportLine)
}

async function* writeCsv(pages: Pages): AsyncGenerator<string> {
  yield auditCsvHeader
  for await (const page of pages) yield page.map(toAuditCsvRow).join('')
}
