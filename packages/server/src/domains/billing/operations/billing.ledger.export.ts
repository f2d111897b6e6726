import { billingLedgerExportOperation } from '@swath/contract/operations/billing.ts'
import { createNdjsonResponse, createTextResponse } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readJournalExportPages, type ExportedJournalEntry } from '../../ledger/journal.ts'
import { journalCsvHeader, toJournalCsvRows } from '../charges/journal-csv.ts'

export const handler = defineHandler(billingLedgerExportOperation, async (call, { format, after, limit }) => {
  const range = { after, limit: limit ?? Number.MAX_SAFE_INTEGER }
  const pages = readJournalExportPages(call.db, call.organization, range)
  return format === 'csv' ? createTextResponse(writeCsv(pages), 'text/csv') : createNdjsonResponse(flattenPages(pages))
})

async function* flattenPages(
  pages: AsyncIterable<readonly ExportedJournalEntry[]>,
): AsyncGenerator<ExportedJournalEntry> {
  for await (const page of pages) yield* page
}

async function* writeCsv(pages: AsyncIterable<readonly ExportedJournalEntry[]>): AsyncGenerator<string> {
  yield journalCsvHeader
  for await (const page of pages) yield page.map(toJournalCsvRows).join('')
}
