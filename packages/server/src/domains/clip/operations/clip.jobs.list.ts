import { clipJobsListOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { parseJobStatuses, toJob } from '../../processing/job.ts'
import { listJobs } from '../../processing/store.lists.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { listReadableProjectIds } from '../../projects/access.ts'

export const handler = defineHandler(clipJobsListOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { rows, total } = await listJobs(call.db, {
    organization: call.organization,
    projects: await listReadableProjectIds(call),
    processes: null,
    statuses: parseJobStatuses(input.status),
    ids: null,
    clips: true,
    sort: { by: 'created', ascending: false },
    limit: input.limit,
    offset: input.offset,
  })
  return toListPage('jobs', { rows: rows.map(toJob), total }, input)
})
