import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../../engine/task.ts'
import { finishCardTask } from './authorise.ts'
import { finishCardPayment } from './card-payment.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'

/** Captures or voids a card authorisation. */
export const finishCard = task(
  finishCardTask,
  Type.Object({ organization_id: Uuid, authorisation_id: Uuid }),
  moneyRetry,
  (job, data) => withDeadLetter(job, data, () => finishCardPayment(job, data.organization_id, data.authorisation_id)),
)
