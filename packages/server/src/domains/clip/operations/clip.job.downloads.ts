import { clipJobDownloadsOperation } from '@swath/contract/operations/clip.job.ts'
import { limits } from '@swath/contract/limits.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireClipJob } from '../clip-job.ts'
import { listClipDownloads } from '../store.ts'

export const handler = defineHandler(clipJobDownloadsOperation, async (call, { job_id }) => {
  const job = await requireClipJob(call, job_id)
  const limit = limits.short_offset_limit.maximum
  const { rows, total } = await listClipDownloads(call.db, call.organization, job.id, limit)
  return toListPage('downloads', { rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total }, { limit })
})
