import { billingLedgerExport } from '@swath/contract/operations/billing.ledger.ts'
import { lines, text } from '../../engine/answer.ts'
import { handler } from '../../engine/handler.ts'
import { exportPages, type JournalLine } from '../ledger/journal.ts'
import { requireBillingRole } from './billing-roles.ts'
import { csvHeader, csvOf } from './charges/journal-csv.ts'

export const exportLedger = handler(billingLedgerExport, async (call, { format, after, limit }) => {
  await requireBillingRole(call)
  const asked = { after, limit: limit ?? Number.MAX_SAFE_INTEGER }
  const pages = exportPages(call.db, call.organization, asked)
  return format === 'csv' ? text(tableOf(pages), 'text/csv') : lines(eachOf(pages))
})

async function* eachOf(pages: AsyncIterable<readonly JournalLine[]>): AsyncGenerator<JournalLine> {
  for await (const page of pages) yield* page
}

async function* tableOf(pages: AsyncIterable<readonly JournalLine[]>): AsyncGenerator<string> {
  yield csvHeader
  for await (const page of pages) yield page.map(csvOf).join('')
}
