import { defineTask } from '../../engine/task.ts'
import { taskTypes } from '../../engine/task-types.ts'
import { removeResultFiles } from './clean-job.ts'

/** Removes the files that an ended job has left. */
export const cleanJobTask = defineTask(
  taskTypes.cleanJob,
  { limit: 5, delay_s: 60, backoff: true, expire_s: 600 },
  ({ database, blobs }, { organization_id, job_id }) =>
    removeResultFiles(database.forOrganization(organization_id), blobs, organization_id, job_id),
)
