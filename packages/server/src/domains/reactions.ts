import type { Reactions } from '../platform/queue/queue.ts'

/**
 * Who listens to which kind of event: the names of tasks, added in the transaction of the event with
 * `{ organization_id, entity_type, entity_id }`. The room that emits knows none of them.
 */
export const reactions: Reactions = {
  'credits.low_balance': ['billing.auto-topup'],
  'hold.ending': ['orders.stop'],
  'hold.expired': ['orders.stop'],
}
