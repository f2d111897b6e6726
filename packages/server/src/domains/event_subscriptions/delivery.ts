import type { EventDelivery } from '@swath/contract/schemas/subscription.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { findEventDelivery, type EventDeliveryRow } from './store.deliveries.ts'
import { requireEventSubscription } from './subscription.ts'
import type { EventSubscriptionRow } from './store.ts'

/** The delivery with its subscription, if the caller manages that. Throws `not-found`. */
export async function requireEventDelivery(
  call: Call,
  id: string,
): Promise<{ delivery: EventDeliveryRow; subscription: EventSubscriptionRow }> {
  const delivery = await findEventDelivery(call.db, call.organization, id)
  const unknown = new Problem('not-found', `No delivery has the id "${id}".`)
  if (!delivery) throw unknown
  const subscription = await requireEventSubscription(call, delivery.subscription_id).catch(() => {
    throw unknown
  })
  return { delivery, subscription }
}

export const toEventDelivery = (row: EventDeliveryRow): EventDelivery => ({
  id: row.id,
  subscription_id: row.subscription_id,
  event_id: row.event_id,
  event_type: row.event_type,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  state: row.state,
  attempts: row.attempts,
  sequence: row.sequence,
  next_attempt_at: row.state === 'delivering' ? null : (row.next_at?.toISOString() ?? null),
  finished_at: row.finished_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
