import { defineTask } from '../../engine/task.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { applyPaymentEvent } from '../card-payments/processor/processor-events.ts'
import { topupPaymentEffects } from './topups/topup-payments.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Applies an event of the payment processor. */
export const applyPaymentEventsTask = defineTask(
  backgroundTaskTypes.applyPaymentEvent,
  billingTaskRetryPolicy,
  (job, data) => withDeadLetter(job, data, () => applyPaymentEvent(job, data.event_id, topupPaymentEffects)),
)
