import Type from 'typebox'
import { task } from '../../../engine/task.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'
import { applyPaymentEvent, applyPaymentEventTask } from './processor-events.ts'

/** Applies an event of the payment processor. */
export const applyPaymentEvents = task(
  applyPaymentEventTask,
  Type.Object({ event_id: Type.String() }),
  moneyRetry,
  (job, data) => withDeadLetter(job, data, () => applyPaymentEvent(job, data.event_id)),
)
