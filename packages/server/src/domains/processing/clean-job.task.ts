import { defineTask } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { removeUnregisteredJobFiles } from './clean-job.ts'

/** Removes the files that an ended job has left. */
export const cleanJobTask = defineTask(
  backgroundTaskTypes.cleanJob,
  { limit: 5, delay_s: 60, backoff: true, expire_s: 600 },
  ({ database, blobs }, { organization_id, job_id }) =>
    removeUnregisteredJobFiles(database.forOrganization(organization_id), blobs, organization_id, job_id),
)
