import { backgroundTaskTypes } from '../engine/task-types.ts'
import type { TaskSchedule } from '../platform/queue/queue.ts'

/** Periodic tasks. */
export const backgroundTaskSchedules: readonly TaskSchedule[] = [
  { task: backgroundTaskTypes.sweepOrders, every_s: 15 },
  { task: backgroundTaskTypes.sweepJobs, every_s: 15 },
  { task: backgroundTaskTypes.sweepStandingOrders, every_s: 60 },
  { task: backgroundTaskTypes.sweepSavedSearches, every_s: 60 },
  { task: backgroundTaskTypes.sweepBillingDeadlines, every_s: 15 },
  { task: backgroundTaskTypes.redeliverWebhooks, every_s: 15 },
  { task: backgroundTaskTypes.sweepEmails, every_s: 30 },
  { task: backgroundTaskTypes.sweepReports, every_s: 60 },
  { task: backgroundTaskTypes.reconcileStorage, every_s: 86_400 },
  { task: backgroundTaskTypes.scheduleMonthEnds, every_s: 86_400 },
  { task: backgroundTaskTypes.sweepUploads, every_s: 60 },
  { task: backgroundTaskTypes.sweepRetention, every_s: 60 },
  { task: backgroundTaskTypes.sweepDeliveryLog, every_s: 3600 },
  { task: backgroundTaskTypes.sweepEventDays, every_s: 3600 },
  { task: backgroundTaskTypes.sweepNotifications, every_s: 3600 },
  { task: backgroundTaskTypes.sweepAnalyticsResults, every_s: 3600 },
  { task: backgroundTaskTypes.sealAudit, every_s: 300 },
  { task: backgroundTaskTypes.verifyDomains, every_s: 3600 },
  { task: backgroundTaskTypes.deleteExpiredClaims, every_s: 3600 },
]
