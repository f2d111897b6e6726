import { limits } from '@swath/contract/limits.ts'
import { eventSubscriptionsDeliveriesReplayWindowOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { eventChannels } from '../../events/event-channels.ts'
import { updateScheduleOfEventDeliveriesInWindow } from '../store.deliveries.ts'
import { requireActiveEventSubscription, requireChangeableEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesReplayWindowOperation, async (call, input) => {
  const subscription = await requireChangeableEventSubscription(call, input.subscription_id)
  requireActiveEventSubscription(subscription)
  const now = call.clock.now()
  const window = {
    organization: call.organization,
    subscription: subscription.id,
    since: new Date(input.since),
    until: input.until ? new Date(input.until) : now,
    include_delivered: input.include_delivered,
    limit: limits.max_replayed_deliveries,
  }
  const replayed_count = await call.transaction(async (tx) => {
    tx.publish(eventChannels.deliveries, call.organization)
    return updateScheduleOfEventDeliveriesInWindow(tx, window, now)
  })
  return { replayed_count, has_more: replayed_count === window.limit }
})
