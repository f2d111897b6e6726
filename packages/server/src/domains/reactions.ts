import type { Reactions } from '../platform/queue/queue.ts'
import { applyPlanRetention } from './items/retention.ts'

/**
 * Who listens to which kind of event: the names of tasks, added in the transaction of the event with
 * `{ organization_id, entity_type, entity_id }`, and functions for what must be true when that transaction ends. The room that
 * emits knows none of them.
 */
export const reactions: Reactions = {
  'credits.low_balance': ['billing.auto-topup'],
  'hold.ending': ['orders.stop'],
  'hold.expired': ['orders.stop'],
  'organization.plan_changed': [applyPlanRetention],
}
