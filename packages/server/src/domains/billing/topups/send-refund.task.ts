import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../../engine/task.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'
import { sendRefundTask } from './refund-topup.ts'
import { sendRefund } from './send-refund.ts'

/** Refunds the money of unspent credits to their card. */
export const sendRefunds = task(
  sendRefundTask,
  Type.Object({ organization_id: Uuid, refund_id: Uuid }),
  moneyRetry,
  (job, data) => withDeadLetter(job, data, () => sendRefund(job, data.organization_id, data.refund_id)),
)
