import type { Module } from '../../engine/task.ts'
import { assignBillingDocumentNumberTask } from './documents/number-document.task.ts'
import { scheduleMonthEndsTask } from './billing-cycle/schedule-month-ends.task.ts'

export const invoicingModule: Module = { tasks: [scheduleMonthEndsTask, assignBillingDocumentNumberTask] }
