import { limits } from '@swath/contract/limits.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { defineSweep, type DueWork } from '../../engine/task.ts'
import { shiftTime } from '../../platform/clock.ts'
import { listOrganizationIdsForTimes } from '../organizations/all-organizations.ts'
import { deleteOldEmails, deleteOldNotifications, dueNotificationRetentionRows } from './store.retention.ts'

const kept_ms = limits.notification_days * 86_400_000
const batch_size = 1000

/** Deletes old notifications, and the rows of e-mails that ended long ago. */
export const dueNotificationRetentionWork: DueWork = {
  name: 'notification-retention',
  dueRows: (organization) => dueNotificationRetentionRows(organization, kept_ms),
  runDue: async ({ database, clock, signal }, times) => {
    for (const organization of await listOrganizationIdsForTimes(database.unscoped, times)) {
      const db = database.forOrganization(organization)
      const before = shiftTime(clock.forOrganization(organization).now(), -kept_ms)
      for (const deleteOld of [deleteOldNotifications, deleteOldEmails]) {
        let deleted: number
        do {
          signal.throwIfAborted()
          deleted = await deleteOld(db, { organization, before, limit: batch_size })
        } while (deleted === batch_size)
      }
    }
  },
}

export const sweepNotificationsTask = defineSweep(
  backgroundTaskTypes.sweepNotifications,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  dueNotificationRetentionWork,
)
