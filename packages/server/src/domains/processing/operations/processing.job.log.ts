import { processingJobLogOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireJob } from '../access.ts'
import { listJobLogEntries } from '../store.log.ts'

export const handler = defineHandler(processingJobLogOperation, async (call, { job_id, ...paging }) => {
  const job = await requireJob(call, job_id, 'read')
  const { rows, total } = await listJobLogEntries(call.db, call.organization, job.id, paging)
  const entries = rows.map((row) => ({ ...row, at: row.at.toISOString() }))
  return toListPage('entries', { rows: entries, total }, paging)
})
