import { processingJobsListOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseCommaSeparatedList } from '../../../engine/sorted-page.ts'
import { listReadableProjectIds } from '../../projects/access.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { parseJobStatuses, toJob } from '../job.ts'
import { listJobs, jobSortColumns } from '../store.lists.ts'

export const handler = defineHandler(processingJobsListOperation, async (call, input) => {
  const projects = input.workspaceId
    ? [(await requireWorkspace(call, input.workspaceId, 'read')).id]
    : await listReadableProjectIds(call)
  const [by = 'created', direction] = input.sort.split(',')
  const { rows, total } = await listJobs(call.db, {
    organization: call.organization,
    projects,
    processes: parseCommaSeparatedList(input.processId),
    statuses: parseJobStatuses(input.status),
    ids: parseCommaSeparatedList(input.ids)?.map((id) => id.toLowerCase()) ?? null,
    sort: { by: by as keyof typeof jobSortColumns, ascending: direction === 'asc' },
    limit: input.limit,
    offset: input.page * input.limit,
  })
  return { jobs: rows.map(toJob), limit: input.limit, page: input.page, total }
})
