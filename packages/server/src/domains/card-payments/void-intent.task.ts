import { defineTask } from '../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { taskTypes } from '../../engine/task-types.ts'

/** Cancels an authorisation that another one has replaced. */
export const voidReplacedIntentTask = defineTask(taskTypes.voidIntent, billingRetryPolicy, (job, data) =>
  withDeadLetter(
    job,
    data,
    async () => void (await job.integrations.payments.cancel(data.intent, `${data.intent}:void`)),
  ),
)
