import type { Module } from '../../engine/task.ts'
import { dueAnalyticsResultsWork, sweepAnalyticsResults } from './sweep-results.task.ts'

export const analyticsModule: Module = {
  tasks: [sweepAnalyticsResults],
  dueWork: [dueAnalyticsResultsWork],
}
