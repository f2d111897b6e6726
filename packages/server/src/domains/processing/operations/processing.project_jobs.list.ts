import { processingProjectJobsListOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { parseCommaSeparatedList } from '../../../engine/sorted-page.ts'
import { requireProject } from '../../projects/access.ts'
import { parseJobStatuses, toJob } from '../job.ts'
import { listJobs } from '../store.lists.ts'

export const handler = defineHandler(processingProjectJobsListOperation, async (call, input) => {
  const { id } = await requireProject(call, input.project_id, 'read')
  const { rows, total } = await listJobs(call.db, {
    organization: call.organization,
    projects: [id],
    processes: parseCommaSeparatedList(input.job_type_name),
    statuses: parseJobStatuses(input.status),
    ids: null,
    sort: { by: 'created', ascending: false },
    limit: input.limit,
    offset: input.offset,
  })
  return toListPage('jobs', { rows: rows.map(toJob), total }, input)
})
