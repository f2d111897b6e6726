import Type from 'typebox'
import { defineTask } from '../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { applyPaymentEvent, applyPaymentEventTask } from '../card-payments/processor/processor-events.ts'
import { topupPayments } from './topups/topup-payments.ts'

/** Applies an event of the payment processor. */
export const applyPaymentEvents = defineTask(
  applyPaymentEventTask,
  Type.Object({ event_id: Type.String() }),
  billingRetryPolicy,
  (job, data) => withDeadLetter(job, data, () => applyPaymentEvent(job, data.event_id, topupPayments)),
)
