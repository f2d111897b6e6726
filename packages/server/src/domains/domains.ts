import { deleteExpiredClaimsTask } from '../engine/delete-expired-claims.task.ts'
import type { OperationHandler } from '../engine/handler.ts'
import type { DueWork, Module, Recovery, Task } from '../engine/task.ts'
import { admin } from './admin/module.ts'
import { alerts } from './alerts/module.ts'
import { analytics } from './analytics/module.ts'
import { apiKeys } from './api_keys/module.ts'
import { assets } from './assets/module.ts'
import { bandFormulas } from './band_formulas/module.ts'
import { billing } from './billing/module.ts'
import { cardPayments } from './card-payments/module.ts'
import { catalog } from './catalog/module.ts'
import { clip } from './clip/module.ts'
import { cog } from './cog/module.ts'
import { collections } from './collections/module.ts'
import { eulas } from './eulas/module.ts'
import { eventSubscriptions } from './event_subscriptions/module.ts'
import { events } from './events/module.ts'
import { glossary } from './glossary/module.ts'
import { invoicing } from './invoicing/module.ts'
import { items } from './items/module.ts'
import { notifications } from './notifications/module.ts'
import { orders } from './orders/module.ts'
import { organizations } from './organizations/module.ts'
import { paymentMethods } from './payment_methods/module.ts'
import { processing } from './processing/module.ts'
import { projects } from './projects/module.ts'
import { provenance } from './provenance/module.ts'
import { reports } from './reports/module.ts'
import { sandbox } from './sandbox/module.ts'
import { stac } from './stac/module.ts'
import { uploads } from './uploads/module.ts'
import { share } from './share/module.ts'
import { usage } from './usage/module.ts'
import { users } from './users/module.ts'
import { visualization } from './visualization/module.ts'
import { webhooks } from './webhooks/module.ts'

/** All modules of the application. */
export const modules: readonly Module[] = [
  usage,
  provenance,
  events,
  notifications,
  users,
  organizations,
  apiKeys,
  eulas,
  projects,
  invoicing,
  cardPayments,
  billing,
  paymentMethods,
  collections,
  items,
  assets,
  stac,
  cog,
  share,
  visualization,
  bandFormulas,
  glossary,
  catalog,
  uploads,
  analytics,
  processing,
  clip,
  orders,
  alerts,
  reports,
  sandbox,
  eventSubscriptions,
  webhooks,
  admin,
]

/** The handler of each implemented operation, by operation id. */
export const handlers: ReadonlyMap<string, OperationHandler> = new Map(
  modules.flatMap((module) => module.handlers).map((handler) => [handler.operation.id, handler]),
)

/** The background tasks of all modules, and that of the engine. */
export const tasks: readonly Task[] = [deleteExpiredClaimsTask, ...modules.flatMap((module) => module.tasks)]

/** What falls due by time, in the order in which it is done at one moment. */
export const dueWork: readonly DueWork[] = modules.flatMap((module) => module.dueWork ?? [])

/** Gives back what the workers of all modules have (`Recovery`). */
export const recoverAll: Recovery = async (database) => {
  for (const { recover } of modules) await recover?.(database)
}
