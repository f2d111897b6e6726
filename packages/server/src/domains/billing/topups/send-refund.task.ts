import { defineTask } from '../../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { sendTopupRefund } from './send-refund.ts'
import { taskTypes } from '../../../engine/task-types.ts'

/** Refunds the money of unspent credits to their card. */
export const sendTopupRefundsTask = defineTask(taskTypes.sendRefund, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => sendTopupRefund(job, data.organization_id, data.refund_id)),
)
