import { deleteExpiredIdempotencyClaimsTask } from '../engine/delete-expired-claims.task.ts'
import type { DueWork, Module, WorkRecovery, BackgroundTask } from '../engine/task.ts'
import { adminModule } from './admin/module.ts'
import { alertsModule } from './alerts/module.ts'
import { analyticsModule } from './analytics/module.ts'
import { billingModule } from './billing/module.ts'
import { cardPaymentsModule } from './card-payments/module.ts'
import { catalogModule } from './catalog/module.ts'
import { eventSubscriptionsModule } from './event_subscriptions/module.ts'
import { identityModule } from './identity/module.ts'
import { invoicingModule } from './invoicing/module.ts'
import { itemsModule } from './items/module.ts'
import { notificationsModule } from './notifications/module.ts'
import { ordersModule } from './orders/module.ts'
import { organizationsModule } from './organizations/module.ts'
import { processingModule } from './processing/module.ts'
import { reportsModule } from './reports/module.ts'
import { uploadsModule } from './uploads/module.ts'

/** The contributions of the modules besides operations (`handlers.ts`). */
const modules: readonly Module[] = [
  notificationsModule,
  identityModule,
  organizationsModule,
  invoicingModule,
  cardPaymentsModule,
  billingModule,
  itemsModule,
  catalogModule,
  uploadsModule,
  analyticsModule,
  processingModule,
  ordersModule,
  alertsModule,
  reportsModule,
  eventSubscriptionsModule,
  adminModule,
]

/** The background tasks of all modules, and that of the engine. */
export const backgroundTasks: readonly BackgroundTask[] = [
  deleteExpiredIdempotencyClaimsTask,
  ...modules.flatMap((module) => module.tasks),
]

/** The work that falls due by time, in the order in which it runs at one moment. */
export const dueWorkOfModules: readonly DueWork[] = modules.flatMap((module) => module.dueWork ?? [])

/** Releases the work that workers of all modules had claimed (`WorkRecovery`). */
export const recoverClaimedWork: WorkRecovery = async (database) => {
  for (const { recover } of modules) await recover?.(database)
}
