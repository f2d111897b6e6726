import { defineTask } from '../../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters.ts'
import { applyPaymentEvent } from './processor-events.ts'
import { taskTypes } from '../../../engine/task-types.ts'

/** Applies an event of the payment processor. */
export const applyPaymentEvents = defineTask(taskTypes.applyPaymentEvent, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => applyPaymentEvent(job, data.event_id)),
)
