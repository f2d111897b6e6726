import type { Module } from '../../engine/task.ts'
import { createReport } from './operations/reports.create.ts'
import { deleteGeneratedReport } from './operations/reports.delete.ts'
import { generateReport } from './operations/reports.generate.ts'
import { getReport } from './operations/reports.get.ts'
import { listGeneratedReports } from './operations/reports.list.ts'
import { createReportSchedule } from './operations/reports.schedules.create.ts'
import { deleteReportSchedule } from './operations/reports.schedules.delete.ts'
import { listReportSchedules } from './operations/reports.schedules.list.ts'
import { runReportSchedule } from './run-schedule.task.ts'
import { dueReports, sweepReports } from './sweep.task.ts'

export const reports: Module = {
  name: 'reports',
  handlers: [
    generateReport,
    createReport,
    listGeneratedReports,
    getReport,
    deleteGeneratedReport,
    createReportSchedule,
    listReportSchedules,
    deleteReportSchedule,
  ],
  tasks: [runReportSchedule, sweepReports],
  dueWork: [dueReports],
}
