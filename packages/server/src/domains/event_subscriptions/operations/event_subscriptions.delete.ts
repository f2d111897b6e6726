import { eventSubscriptionsDeleteOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteEventSubscription } from '../store.ts'
import {
  lockEventSubscription,
  requireChangeableEventSubscription,
  requireEventSubscriptionWithoutWebhook,
  findManageableSubscriptionScope,
} from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeleteOperation, async (call, input) => {
  await requireChangeableEventSubscription(call, input.subscription_id)
  const scope = await findManageableSubscriptionScope(call)
  const deleted = await call.transaction(async (tx) => {
    const row = await lockEventSubscription(tx, scope, input.subscription_id)
    requireEventSubscriptionWithoutWebhook(row)
    return deleteEventSubscription(tx, call.organization, row.id)
  })
  return { deleted }
})
