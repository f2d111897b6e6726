import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { sendRefundTask } from './refund-topup.ts'
import { sendRefund } from './send-refund.ts'

/** Refunds the money of unspent credits to their card. */
export const sendRefunds = defineTask(
  sendRefundTask,
  Type.Object({ organization_id: Uuid, refund_id: Uuid }),
  billingRetryPolicy,
  (job, data) => withDeadLetter(job, data, () => sendRefund(job, data.organization_id, data.refund_id)),
)
