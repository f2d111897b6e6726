import { defineTask } from '../../engine/task.ts'
import { reauthoriseCardPayment } from './card-payment.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Authorises a card again before its authorisation expires. */
export const reauthoriseCardTask = defineTask(
  backgroundTaskTypes.reauthoriseCard,
  billingTaskRetryPolicy,
  (job, data) =>
    withDeadLetter(job, data, () => reauthoriseCardPayment(job, data.organization_id, data.authorisation_id)),
)
