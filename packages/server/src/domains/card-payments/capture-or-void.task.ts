import { defineTask } from '../../engine/task.ts'
import { captureOrVoidCardAuthorisation } from './card-payment.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Captures or voids a card authorisation. */
export const captureOrVoidTask = defineTask(backgroundTaskTypes.captureOrVoid, billingTaskRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => captureOrVoidCardAuthorisation(job, data.organization_id, data.authorisation_id)),
)
