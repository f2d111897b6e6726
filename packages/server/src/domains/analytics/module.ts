import type { Module } from '../../engine/task.ts'
import { dueAnalyticsResultsWork, sweepAnalyticsResultsTask } from './sweep-results.task.ts'

export const analyticsModule: Module = {
  tasks: [sweepAnalyticsResultsTask],
  dueWork: [dueAnalyticsResultsWork],
}
