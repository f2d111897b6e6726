import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsListOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listSubscriptions } from '../store.ts'
import { findSubscriptionScope, toSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsListOperation, async (call, input) => {
  const filter = { event_type: input.event_type ?? null, active: input.active ?? null }
  const rows = await listSubscriptions(call.db, await findSubscriptionScope(call), filter)
  return toCompleteList(
    'subscriptions',
    rows.map((row) => toSubscription(call.processServices.get(webhookServicesKey), row)),
  )
})
