import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../engine/task.ts'
import { voidIntentTask } from './card-payment.ts'
import { billingRetryPolicy, withDeadLetter } from '../dead-letters/dead-letters.ts'

/** Cancels an authorisation that another one has replaced. */
export const voidIntent = defineTask(
  voidIntentTask,
  Type.Object({ organization_id: Uuid, intent: Type.String() }),
  billingRetryPolicy,
  (job, data) =>
    withDeadLetter(
      job,
      data,
      async () => void (await job.integrations.payments.cancel(data.intent, `${data.intent}:void`)),
    ),
)
