import { eventSubscriptionsDeleteOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteSubscription } from '../store.ts'
import { lockSubscription, requireSubscriptionWithoutWebhook, findSubscriptionScope } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeleteOperation, async (call, input) => {
  const scope = await findSubscriptionScope(call)
  const deleted = await call.transaction(async (tx) => {
    const row = await lockSubscription(tx, scope, input.subscription_id)
    requireSubscriptionWithoutWebhook(row)
    return deleteSubscription(tx, call.organization, row.id)
  })
  return { deleted }
})
