import { defineTask } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { evaluateItemAlerts } from './evaluate-item.ts'

/** Measures one item for the rules that are about it. */
export const evaluateAlertsTask = defineTask(
  backgroundTaskTypes.evaluateAlerts,
  { limit: 5, delay_s: 30, backoff: true, expire_s: 1800 },
  (context, { organization_id, item_id }) => evaluateItemAlerts(context, organization_id, item_id),
)
