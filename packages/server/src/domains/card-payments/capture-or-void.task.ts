import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../engine/task.ts'
import { captureOrVoidTask } from './authorise-card.ts'
import { captureOrVoidAuthorisation } from './card-payment.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'

/** Captures or voids a card authorisation. */
export const captureOrVoid = defineTask(
  captureOrVoidTask,
  Type.Object({ organization_id: Uuid, authorisation_id: Uuid }),
  billingRetryPolicy,
  (job, data) =>
    withDeadLetter(job, data, () => captureOrVoidAuthorisation(job, data.organization_id, data.authorisation_id)),
)
