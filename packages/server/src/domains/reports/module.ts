import type { Module } from '../../engine/task.ts'
import { runReportScheduleTask } from './run-schedule.task.ts'
import { dueReportsWork, sweepReports } from './sweep.task.ts'

export const reportsModule: Module = {
  tasks: [runReportScheduleTask, sweepReports],
  dueWork: [dueReportsWork],
}
