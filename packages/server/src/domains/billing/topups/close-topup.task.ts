import { defineTask } from '../../../engine/task.ts'
import { closeTopup } from './close-topup.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { taskTypes } from '../../../engine/task-types.ts'

/** Completes a top-up that was paid after all, or cancels it. */
export const closeTopupsTask = defineTask(taskTypes.closeTopup, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => closeTopup(job, data.organization_id, data.topup_id)),
)
