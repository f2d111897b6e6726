import { eventSubscriptionsDeliveriesGetOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toEventJson } from '../../events/event-json.ts'
import { requireEventDelivery, toEventDelivery } from '../delivery.ts'
import { findDeliveredEvent, listEventDeliveryAttempts } from '../store.deliveries.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesGetOperation, async (call, input) => {
  const { delivery } = await requireEventDelivery(call, input.delivery_id)
  const attempts = await listEventDeliveryAttempts(call.db, call.organization, delivery.id)
  return {
    delivery: toEventDelivery(delivery),
    payload: {
      ...toEventJson(await findDeliveredEvent(call.db, call.organization, delivery.event_id)),
      sequence: delivery.sequence,
    },
    attempts: attempts.map(({ is_delivered, started_at, response_headers, ...attempt }) => ({
      id: attempt.id,
      endpoint_url: attempt.endpoint_url,
      http_status: attempt.http_status,
      error: attempt.error,
      response_body: attempt.response_body,
      duration_ms: attempt.duration_ms,
      delivered: is_delivered,
      response_headers: { ...response_headers },
      started_at: started_at.toISOString(),
    })),
  }
})
