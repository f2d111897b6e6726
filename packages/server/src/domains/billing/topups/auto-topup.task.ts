import { defineTask } from '../../../engine/task.ts'
import { runAutoTopup } from './auto-topup.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Tops up a wallet that has fallen below its threshold, if auto top-up is enabled. */
export const autoTopupTask = defineTask(backgroundTaskTypes.autoTopup, billingTaskRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => runAutoTopup(job, data.organization_id)),
)
