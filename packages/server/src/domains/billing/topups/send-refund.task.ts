import { defineTask } from '../../../engine/task.ts'
import { billingTaskRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { sendTopupRefund } from './send-refund.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Refunds the money of unspent credits to their card. */
export const sendTopupRefundsTask = defineTask(backgroundTaskTypes.sendRefund, billingTaskRetryPolicy, (job, data) =>
  withDeadLetter(job, data, () => sendTopupRefund(job, data.organization_id, data.refund_id)),
)
