import { defineTask, createTaskActor } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { paymentEndedFailure } from './register-results.ts'
import { stopJobNow } from './stop-job.ts'

/** Handles `hold.ending` and `hold.expired`: a job is not continued without its hold. */
export const stopJobTask = defineTask(
  backgroundTaskTypes.stopJob,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (context, { organization_id, entity_type, entity_id }) => {
    if (entity_type !== 'job') return
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    await db.transaction((tx) => stopJobNow(tx, actor, entity_id, paymentEndedFailure))
  },
)
