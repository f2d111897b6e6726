import type { Module } from '../../engine/task.ts'
import { numberDocuments } from './documents/number-document.task.ts'
import { scheduleMonthEnds } from './billing-cycle/schedule-month-ends.task.ts'

export const invoicing: Module = { tasks: [scheduleMonthEnds, numberDocuments] }
