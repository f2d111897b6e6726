import { defineTask } from '../../../engine/task.ts'
import { runAutoTopup } from './auto-topup.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { taskTypes } from '../../../engine/task-types.ts'

/** Tops up a wallet that has fallen below its threshold, if auto top-up is enabled. */
export const autoTopupTask = defineTask(taskTypes.autoTopup, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => runAutoTopup(job, data.organization_id)),
)
