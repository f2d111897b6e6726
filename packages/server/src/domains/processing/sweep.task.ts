import { defineSweep, type DueWork, type WorkRecovery } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { toProcessClockTime, shiftTime } from '../../platform/clock.ts'
import { listEveryOrganizationId, listOrganizationIdsForTimes } from '../organizations/all-organizations.ts'
import { stalled_job_ms } from './leases/lease-times.ts'
import { dueJobRows, listLostJobs } from './store.lists.ts'
import { markServerJobLeasesEnded } from './store.ts'

/** Runs jobs again whose worker or task was lost; the singleton key prevents a second run while one waits or works. */
export const dueJobsWork: DueWork = {
  name: 'processing jobs',
  dueRows: (organization, { processTime }) => dueJobRows(organization, { stalled_ms: stalled_job_ms, processTime }),
  runDue: async ({ database, clock, queue, signal }, times) => {
    for (const organization_id of await listOrganizationIdsForTimes(database.unscoped, times)) {
      signal.throwIfAborted()
      const db = database.forOrganization(organization_id)
      const now = clock.forOrganization(organization_id).now()
      const lost = { stalled_since: shiftTime(now, -stalled_job_ms), processTime: toProcessClockTime(clock.process) }
      for (const id of await listLostJobs(db, organization_id, lost)) {
        const data = { organization_id, job_id: id }
        await db.transaction((tx) => queue.enqueue(tx, backgroundTaskTypes.runJob, data, { singleton_key: id }))
      }
    }
  },
}

/** Ends the leases of workers of the server, so that their jobs run again at once and not after a minute. */
export const endLeasesOfKilledWorkers: WorkRecovery = async (database) => {
  for (const organization of await listEveryOrganizationId(database.unscoped, { sandboxes: true }))
    await markServerJobLeasesEnded(database.forOrganization(organization), organization)
}

export const sweepJobsTask = defineSweep(
  backgroundTaskTypes.sweepJobs,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  dueJobsWork,
)
