import { eventSubscriptionsTestOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { sendTestEvent } from '../send-test-event.ts'
import { requireChangeableEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsTestOperation, async (call, input) => {
  const row = await requireChangeableEventSubscription(call, input.subscription_id)
  const { event_id, payload, result } = await sendTestEvent(call, row)
  return {
    status: result.is_delivered ? ('delivered' as const) : ('failed' as const),
    delivered: result.is_delivered,
    http_status: result.http_status,
    error: result.error,
    event_id,
    event_type: row.event_type,
    headers: { ...result.request_headers },
    payload,
  }
})
