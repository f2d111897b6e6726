import { backgroundTaskTypes } from '../engine/task-types.ts'
import type { EventHandlers } from '../platform/queue/queue.ts'
import { queueAlertEvaluations } from './alerts/queue-evaluations.ts'
import { applyPlanRetention } from './items/retention/retention.ts'
import { notificationHandlers } from './notifications/notify.ts'
import { addMatchedScenes } from './orders/standing/add-matched-scenes.ts'

/** The handlers of several tables, by kind of event. */
const mergeHandlers = (...tables: readonly EventHandlers[]): EventHandlers =>
  Object.fromEntries(
    tables.flatMap((table) => Object.keys(table)).map((kind) => [kind, tables.flatMap((table) => table[kind] ?? [])]),
  )

/**
 * The handlers of each kind of event: tasks, which are enqueued in the transaction of the event with
 * `{ organization_id, event_id, entity_type, entity_id }`, and functions for what must be true when that transaction commits. The
 * module that emits the event does not depend on them.
 */
export const eventHandlers: EventHandlers = mergeHandlers(notificationHandlers, {
  'credits.low_balance': [backgroundTaskTypes.autoTopup],
  'hold.ending': [backgroundTaskTypes.stopOrder, backgroundTaskTypes.stopJob],
  'hold.expired': [backgroundTaskTypes.stopOrder, backgroundTaskTypes.stopJob],
  'item.created': [queueAlertEvaluations('item.created')],
  'item.updated': [queueAlertEvaluations('item.updated')],
  'organization.plan_changed': [applyPlanRetention],
  'saved_search.deleted': [backgroundTaskTypes.suspendStandingOrders],
  'saved_search.matched': [addMatchedScenes],
})
