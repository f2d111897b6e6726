import type { Module } from '../../engine/task.ts'
import { dueAnalyticsResults, sweepAnalyticsResults } from './sweep-results.task.ts'

export const analytics: Module = {
  tasks: [sweepAnalyticsResults],
  dueWork: [dueAnalyticsResults],
}
