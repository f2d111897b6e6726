import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireProject } from '../projects/access.ts'
import { requireProjectRecords } from '../projects/record-access.ts'
import { findJob, type JobRow } from './store.ts'

export const jobNotFound = (id: string): Problem => new Problem('not-found', `No job has the id "${id}".`)

/**
 * The job, if the caller has the permission in its project; jobs of deleted projects can be read by owners and admins. Throws
 * `not-found` and `not-a-member`.
 */
export async function requireJob(call: Call, id: string, permission: 'read' | 'write'): Promise<JobRow> {
  const job = await findJob(call.db, call.organization, id)
  if (!job) throw jobNotFound(id)
  // Jobs of archived projects can be cancelled: their holds are still open.
  if (permission === 'read') await requireProjectRecords(call, job.project_id)
  else await requireProject(call, job.project_id, permission, { allowArchived: true })
  return job
}
