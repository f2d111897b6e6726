import type { Module } from '../../engine/task.ts'
import { applyPaymentEventsTask } from './apply-payment-event.task.ts'
import { autoTopupTask } from './topups/auto-topup.task.ts'
import { closeTopupsTask } from './topups/close-topups.task.ts'
import { sendTopupRefundsTask } from './topups/send-refund.task.ts'
import { dueBillingDeadlinesWork, sweepBillingDeadlinesTask } from './sweep-deadlines.task.ts'

export const billingModule: Module = {
  tasks: [closeTopupsTask, autoTopupTask, applyPaymentEventsTask, sendTopupRefundsTask, sweepBillingDeadlinesTask],
  dueWork: [dueBillingDeadlinesWork],
}
