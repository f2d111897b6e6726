import type { TaskSchedule } from '../platform/queue/queue.ts'

/** Periodic tasks. */
export const schedules: readonly TaskSchedule[] = [
  { task: 'orders.sweep', every_s: 15 },
  { task: 'billing.sweep-deadlines', every_s: 15 },
  { task: 'billing.hear-processor', every_s: 15 },
  { task: 'billing.reconcile', every_s: 86_400 },
  { task: 'billing.plan-month-ends', every_s: 86_400 },
  { task: 'uploads.sweep', every_s: 60 },
  { task: 'items.sweep-retention', every_s: 60 },
  { task: 'idempotency.forget-claims', every_s: 3600 },
]
