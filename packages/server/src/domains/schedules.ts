import { taskTypes } from '../engine/task-types.ts'
import type { TaskSchedule } from '../platform/queue/queue.ts'

/** Periodic tasks. */
export const taskSchedules: readonly TaskSchedule[] = [
  { task: taskTypes.sweepOrders, every_s: 15 },
  { task: taskTypes.sweepJobs, every_s: 15 },
  { task: taskTypes.sweepStandingOrders, every_s: 60 },
  { task: taskTypes.sweepSavedSearches, every_s: 60 },
  { task: taskTypes.sweepBillingDeadlines, every_s: 15 },
  { task: taskTypes.redeliverWebhooks, every_s: 15 },
  { task: taskTypes.sweepEmails, every_s: 30 },
  { task: taskTypes.sweepReports, every_s: 60 },
  { task: taskTypes.reconcileStorage, every_s: 86_400 },
  { task: taskTypes.scheduleMonthEnds, every_s: 86_400 },
  { task: taskTypes.sweepUploads, every_s: 60 },
  { task: taskTypes.sweepRetention, every_s: 60 },
  { task: taskTypes.sweepDeliveryLog, every_s: 3600 },
  { task: taskTypes.sweepEventDays, every_s: 3600 },
  { task: taskTypes.sweepNotifications, every_s: 3600 },
  { task: taskTypes.sweepAnalyticsResults, every_s: 3600 },
  { task: taskTypes.sealAudit, every_s: 300 },
  { task: taskTypes.deleteExpiredClaims, every_s: 3600 },
]
