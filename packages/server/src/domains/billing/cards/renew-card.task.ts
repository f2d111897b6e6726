import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../../engine/task.ts'
import { renewCardPayment } from './card-payment.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'

export const renewCardTask = 'billing.renew-card'

/** Authorises a card again before its authorisation expires. */
export const renewCard = task(
  renewCardTask,
  Type.Object({ organization_id: Uuid, authorisation_id: Uuid }),
  moneyRetry,
  (job, data) => withDeadLetter(job, data, () => renewCardPayment(job, data.organization_id, data.authorisation_id)),
)
