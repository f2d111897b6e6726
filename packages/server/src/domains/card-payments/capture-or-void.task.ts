import { defineTask } from '../../engine/task.ts'
import { captureOrVoidAuthorisation } from './card-payment.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { taskTypes } from '../../engine/task-types.ts'

/** Captures or voids a card authorisation. */
export const captureOrVoidTask = defineTask(taskTypes.captureOrVoid, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => captureOrVoidAuthorisation(job, data.organization_id, data.authorisation_id)),
)
