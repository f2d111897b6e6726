import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../engine/task.ts'
import { reauthoriseCardPayment } from './card-payment.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'

export const reauthoriseCardTask = 'billing.renew-card'

/** Authorises a card again before its authorisation expires. */
export const reauthoriseCard = defineTask(
  reauthoriseCardTask,
  Type.Object({ organization_id: Uuid, authorisation_id: Uuid }),
  billingRetryPolicy,
  (job, data) =>
    withDeadLetter(job, data, () => reauthoriseCardPayment(job, data.organization_id, data.authorisation_id)),
)
