import { limits } from '@swath/contract/limits.ts'
import { taskTypes } from '../../engine/task-types.ts'
import { defineSweep, type DueWork } from '../../engine/task.ts'
import { shiftTime } from '../../platform/clock.ts'
import { listOrganizationIdsOf } from '../organizations/all-organizations.ts'
import { createAttemptDays, deleteOldDeliveries, dropAttemptDays, dueLogRows } from './store.log.ts'

const kept_ms = limits.delivery_log_days * 86_400_000
const batch_size = 1000

/**
 * Deletes deliveries that ended long ago from the log. Their events stay; attempts, which nothing shows without their delivery, are
 * dropped by whole days.
 */
export const dueDeliveryLog: DueWork = {
  name: 'delivery-log',
  dueRows: (organization) => [dueLogRows(organization, kept_ms)],
  runDue: async ({ database, clock, signal }, times) => {
    if (times.organization === null) {
      await createAttemptDays(database.unscoped)
      await dropAttemptDays(database.unscoped, limits.delivery_log_days)
    }
    for (const organization of await listOrganizationIdsOf(database.unscoped, times)) {
      const db = database.forOrganization(organization)
      const before = shiftTime(clock.forOrganization(organization).now(), -kept_ms)
      let deleted: number
      do {
        signal.throwIfAborted()
        deleted = await deleteOldDeliveries(db, organization, before, batch_size)
      } while (deleted === batch_size)
    }
  },
}

export const sweepDeliveryLog = defineSweep(
  taskTypes.sweepDeliveryLog,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  dueDeliveryLog,
)
