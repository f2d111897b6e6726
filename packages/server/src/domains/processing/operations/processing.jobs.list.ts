import { processingJobsListOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { parseCommaSeparatedList } from '../../../engine/sorted-page.ts'
import { parseTimeInterval, type TimeInterval } from '../../items/datetime.ts'
import { listReadableProjectIds } from '../../projects/access.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { parseJobStatuses, toJob } from '../job.ts'
import { findProcess } from '../registry.ts'
import { listJobs, jobSortColumns } from '../store.lists.ts'

export const handler = defineHandler(processingJobsListOperation, async (call, input) => {
  const projects = input.workspaceId
    ? [(await requireWorkspace(call, input.workspaceId, 'read')).id]
    : await listReadableProjectIds(call)
  const [by = 'created', direction] = input.sort.split(',')
  const { rows, total } = await listJobs(call.db, {
    organization: call.organization,
    projects,
    processes: parseCommaSeparatedList(input.processId)?.map((id) => findProcess(id)?.id ?? id) ?? null,
    statuses: parseJobStatuses(input.status),
    ids: parseCommaSeparatedList(input.ids)?.map((id) => id.toLowerCase()) ?? null,
    excludeDismissed: input.exclude_dismissed,
    created: readCreated(input.created),
    duration: {
      min_s: input.min_duration_seconds ?? null,
      max_s: input.max_duration_seconds ?? null,
      now: call.clock.now(),
    },
    sort: { by: by as keyof typeof jobSortColumns, ascending: direction === 'asc' },
    limit: input.limit,
    offset: input.page * input.limit,
  })
  return { jobs: rows.map(toJob), limit: input.limit, page: input.page, total }
})

function readCreated(text: string | null | undefined): TimeInterval | null {
  if (text === null || text === undefined) return null
  const interval = parseTimeInterval(text)
  if (typeof interval === 'string') throw validationProblem([{ path: 'created', message: interval }])
  return interval
}
