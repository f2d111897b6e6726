import { defineTask } from '../../engine/task.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Cancels an authorisation that another one has replaced. */
export const voidReplacedIntentTask = defineTask(backgroundTaskTypes.voidIntent, billingTaskRetryPolicy, (job, data) =>
  withDeadLetter(
    job,
    data,
    async () => void (await job.integrations.payments.cancel(data.intent, `${data.intent}:void`)),
  ),
)
