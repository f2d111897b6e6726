import { sql } from '../../src/platform/database/sql.ts'

/** All deliveries, as a table expression: open ones of the queue and ended ones of the log. */
export const storedDeliveries = sql`(
  select organization_id, id, event_id, subscription_id, state, attempts, sequence from event_deliveries
  union all
  select organization_id, id, event_id, subscription_id, state, attempts, sequence from event_delivery_log)`
