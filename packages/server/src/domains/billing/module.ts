import type { Module } from '../../engine/task.ts'
import { applyPaymentEvents } from './apply-payment-event.task.ts'
import { autoTopup } from './topups/auto-topup.task.ts'
import { closeTopups } from './topups/close-topup.task.ts'
import { sendRefunds } from './topups/send-refund.task.ts'
import { dueBillingDeadlines, sweepBillingDeadlines } from './sweep-deadlines.task.ts'

export const billing: Module = {
  tasks: [closeTopups, autoTopup, applyPaymentEvents, sendRefunds, sweepBillingDeadlines],
  dueWork: [dueBillingDeadlines],
}
