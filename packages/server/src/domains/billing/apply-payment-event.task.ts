import { defineTask } from '../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { applyPaymentEvent } from '../card-payments/processor/processor-events.ts'
import { topupPaymentEffects } from './topups/topup-payments.ts'
import { taskTypes } from '../../engine/task-types.ts'

/** Applies an event of the payment processor. */
export const applyPaymentEventsTask = defineTask(taskTypes.applyPaymentEvent, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => applyPaymentEvent(job, data.event_id, topupPaymentEffects)),
)
