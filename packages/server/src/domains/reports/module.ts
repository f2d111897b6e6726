import type { Module } from '../../engine/task.ts'
import { runReportSchedule } from './run-schedule.task.ts'
import { dueReports, sweepReports } from './sweep.task.ts'

export const reports: Module = {
  tasks: [runReportSchedule, sweepReports],
  dueWork: [dueReports],
}
