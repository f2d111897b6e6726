import { eventSubscriptionsDeleteOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteSubscription } from '../store.ts'
import { requireSubscription } from '../subscription.ts'

export const deleteEventSubscription = defineHandler(eventSubscriptionsDeleteOperation, async (call, input) => {
  const deleted = await call.transaction(async (tx) => {
    const { id } = await requireSubscription(call, input.subscription_id, { lock: tx })
    return deleteSubscription(tx, call.organization, id)
  })
  return { deleted }
})
