import { defineTask } from '../../../engine/task.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { sendRefund } from './send-refund.ts'
import { taskTypes } from '../../../engine/task-types.ts'

/** Refunds the money of unspent credits to their card. */
export const sendRefunds = defineTask(taskTypes.sendRefund, billingRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => sendRefund(job, data.organization_id, data.refund_id)),
)
