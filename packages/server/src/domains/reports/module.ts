import type { Module } from '../../engine/task.ts'
import { runReportScheduleTask } from './run-schedule.task.ts'
import { dueReportsWork, sweepReportsTask } from './sweep.task.ts'

export const reportsModule: Module = {
  tasks: [runReportScheduleTask, sweepReportsTask],
  dueWork: [dueReportsWork],
}
