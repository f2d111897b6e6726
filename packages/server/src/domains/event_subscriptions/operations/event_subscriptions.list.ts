import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsListOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listEventSubscriptions } from '../store.ts'
import { findManageableSubscriptionScope, toEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsListOperation, async (call, input) => {
  const filter = { event_type: input.event_type ?? null, active: input.active ?? null }
  const rows = await listEventSubscriptions(call.db, await findManageableSubscriptionScope(call), filter)
  return toCompleteList(
    'subscriptions',
    rows.map((row) => toEventSubscription(call.processServices.get(webhookServicesKey), row)),
  )
})
