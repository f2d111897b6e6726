import { limits } from '@swath/contract/limits.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { defineTask } from '../../../engine/task.ts'
import { createLogPartitions, dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'
import { listOrganizationsWithEndedEventDeliveries, moveEndedEventDeliveriesToLog } from './store.log.ts'

const batch_size = 500

/**
 * Creates the days of the logs of deliveries and attempts ahead, and drops those whose retention has ended, on the
 * clock of the database. Moves to the log the ended deliveries that the previous version leaves in the queue while an
 * update runs.
 */
export const sweepEventDeliveryLogTask = defineTask(
  backgroundTaskTypes.sweepDeliveryLog,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  async ({ database, signal }) => {
    const { unscoped } = database
    for (const log of ['event_delivery_attempts', 'event_delivery_log'] as const) {
      await createLogPartitions(unscoped, log)
      await dropLogPartitions(unscoped, log, limits.delivery_log_days)
    }
    for (const organization of await listOrganizationsWithEndedEventDeliveries(unscoped)) {
      const db = database.forOrganization(organization)
      let moved: number
      do {
        signal.throwIfAborted()
        moved = await db.transaction((tx) => moveEndedEventDeliveriesToLog(tx, organization, batch_size))
      } while (moved === batch_size)
    }
  },
)
