import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../../engine/task.ts'
import { voidIntentTask } from './card-payment.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'

/** Cancels an authorisation that another one has replaced. */
export const voidIntent = task(
  voidIntentTask,
  Type.Object({ organization_id: Uuid, intent: Type.String() }),
  moneyRetry,
  (job, data) =>
    withDeadLetter(job, data, async () => void (await job.outside.payments.cancel(data.intent, `${data.intent}:void`))),
)
