import { defineTask } from '../../../engine/task.ts'
import { resolveUnfinishedTopup } from './close-topup.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Completes a top-up that was paid after all, or cancels it. */
export const closeTopupsTask = defineTask(backgroundTaskTypes.closeTopup, billingTaskRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => resolveUnfinishedTopup(job, data.organization_id, data.topup_id)),
)
