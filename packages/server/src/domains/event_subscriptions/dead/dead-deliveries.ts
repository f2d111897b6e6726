import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { eventChannels } from '../../events/event-channels.ts'
import { findEventDelivery, updateEventDeliverySchedule } from '../store.deliveries.ts'
import { findEventSubscription } from '../store.ts'
import { markDeadEventDeliveryCancelled } from './store.dead.ts'

export { listDeadEventDeliveries } from './store.dead.ts'

/** Sends a dead delivery again, with all its attempts. False if it is not dead, or its subscription is not active. */
export async function redeliverDeadEventDelivery(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const { organization, clock } = actor
  const delivery = await findEventDelivery(tx, organization, id)
  if (delivery?.state !== 'dead') return false
  const subscription = await findEventSubscription(tx, { organization, creator: null }, delivery.subscription_id)
  if (!subscription?.active) return false
  await updateEventDeliverySchedule(tx, organization, id, clock.now())
  tx.publish(eventChannels.deliveries, organization)
  return true
}

/** Gives up a dead delivery for good. False if it is not dead. */
export const cancelDeadEventDelivery = (tx: Tx, { organization, clock }: Actor, id: string): Promise<boolean> =>
  markDeadEventDeliveryCancelled(tx, organization, id, clock.now())
