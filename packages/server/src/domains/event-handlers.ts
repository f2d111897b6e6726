import { taskTypes } from '../engine/task-types.ts'
import type { EventHandlers } from '../platform/queue/queue.ts'
import { applyPlanRetention } from './items/retention/retention.ts'
import { addMatchedScenes } from './orders/standing/follow-search.ts'

/**
 * The handlers of each kind of event: tasks, which are enqueued in the transaction of the event with
 * `{ organization_id, entity_type, entity_id }`, and functions for what must be true when that transaction commits. The
 * module that emits the event does not depend on them.
 */
export const eventHandlers: EventHandlers = {
  'credits.low_balance': [taskTypes.autoTopup],
  'hold.ending': [taskTypes.stopOrder],
  'hold.expired': [taskTypes.stopOrder],
  'organization.plan_changed': [applyPlanRetention],
  'saved_search.deleted': [taskTypes.suspendStandingOrders],
  'saved_search.matched': [addMatchedScenes],
}
