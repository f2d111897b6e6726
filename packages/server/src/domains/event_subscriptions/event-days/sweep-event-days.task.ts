import { limits } from '@swath/contract/limits.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { defineTask, type TaskContext } from '../../../engine/task.ts'
import { createLogPartitions, dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'
import {
  markOldWebhookDeliveriesEnded,
  listOrganizationsWithOldWebhookDeliveries,
  lockEventSubscriptionsWithOldEventDeliveries,
} from './store.event-days.ts'

/**
 * Drops the days of events that ended long ago, on the clock of the database, for all organizations at once: also for
 * sandboxes, whose clocks do not change the ids. Deliveries that are still open, as those of a paused subscription, are
 * ended before their event is deleted.
 */
export const dropOldEventDaysTask = defineTask(
  backgroundTaskTypes.sweepEventDays,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  async (context) => {
    const { unscoped } = context.database
    await createLogPartitions(unscoped, 'events')
    for (const organization of await listOrganizationsWithOldWebhookDeliveries(unscoped, limits.event_days))
      await endDeliveriesOfOldEvents(context, organization)
    context.signal.throwIfAborted()
    await dropLogPartitions(unscoped, 'events', limits.event_days)
  },
)

async function endDeliveriesOfOldEvents({ database, clock, signal }: TaskContext, organization: string): Promise<void> {
  const { now } = clock.forOrganization(organization)
  const endSome = (): Promise<boolean> =>
    database.forOrganization(organization).transaction(async (tx) => {
      if ((await lockEventSubscriptionsWithOldEventDeliveries(tx, organization, limits.event_days)) === 0) return false
      await markOldWebhookDeliveriesEnded(tx, organization, limits.event_days, now())
      return true
    })
  while (await endSome()) signal.throwIfAborted()
}
