import { defineTask, createTaskActor } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { runJobAttempt, claimJobAttempt } from './run-job.ts'

/** Executes a job in the raster threads of this process. A job that another worker has is left to it. */
export const runJobTask = defineTask(
  backgroundTaskTypes.runJob,
  { limit: 4, delay_s: 5, backoff: true, expire_s: 6 * 3600 },
  async (context, { organization_id, job_id }) => {
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    const job = await db.transaction((tx) => claimJobAttempt(tx, actor, job_id))
    if (job) await runJobAttempt(context, actor, job)
  },
)
