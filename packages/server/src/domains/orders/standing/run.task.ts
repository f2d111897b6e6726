import { defineTask } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { runStandingOrder } from './run-standing-order.ts'

/** Orders or proposes the new scenes of one standing order. */
export const runStandingOrderTask = defineTask(
  backgroundTaskTypes.runStandingOrder,
  { limit: 2, delay_s: 60, backoff: true, expire_s: 600 },
  (context, { organization_id, standing_order_id }) => runStandingOrder(context, organization_id, standing_order_id),
)
