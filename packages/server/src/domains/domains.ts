import { deleteExpiredIdempotencyClaimsTask } from '../engine/delete-expired-claims.task.ts'
import type { DueWork, Module, WorkRecovery, Task } from '../engine/task.ts'
import { admin } from './admin/module.ts'
import { alerts } from './alerts/module.ts'
import { analytics } from './analytics/module.ts'
import { billing } from './billing/module.ts'
import { cardPayments } from './card-payments/module.ts'
import { catalog } from './catalog/module.ts'
import { eventSubscriptions } from './event_subscriptions/module.ts'
import { invoicing } from './invoicing/module.ts'
import { items } from './items/module.ts'
import { notifications } from './notifications/module.ts'
import { orders } from './orders/module.ts'
import { organizations } from './organizations/module.ts'
import { processing } from './processing/module.ts'
import { reports } from './reports/module.ts'
import { uploads } from './uploads/module.ts'

/** The contributions of the modules besides operations (`handlers.ts`). */
const modules: readonly Module[] = [
  notifications,
  organizations,
  invoicing,
  cardPayments,
  billing,
  items,
  catalog,
  uploads,
  analytics,
  processing,
  orders,
  alerts,
  reports,
  eventSubscriptions,
  admin,
]

/** The background tasks of all modules, and that of the engine. */
export const tasks: readonly Task[] = [deleteExpiredIdempotencyClaimsTask, ...modules.flatMap((module) => module.tasks)]

/** The work that falls due by time, in the order in which it runs at one moment. */
export const dueWork: readonly DueWork[] = modules.flatMap((module) => module.dueWork ?? [])

/** Releases the work that workers of all modules had claimed (`WorkRecovery`). */
export const recoverAll: WorkRecovery = async (database) => {
  for (const { recover } of modules) await recover?.(database)
}
