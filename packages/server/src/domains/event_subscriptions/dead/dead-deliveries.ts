import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { eventChannels } from '../../events/event-channels.ts'
import { findDelivery, updateDeliverySchedule } from '../store.deliveries.ts'
import { findSubscription } from '../store.ts'
import { markDeadDeliveryCancelled } from './store.dead.ts'

export { listDeadDeliveries } from './store.dead.ts'

/** Sends a dead delivery again, with all its attempts. False if it is not dead, or its subscription is not active. */
export async function redeliverDeadDelivery(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const { organization, clock } = actor
  const delivery = await findDelivery(tx, organization, id)
  if (delivery?.state !== 'dead') return false
  const subscription = await findSubscription(tx, { organization, creator: null }, delivery.subscription_id)
  if (!subscription?.active) return false
  await updateDeliverySchedule(tx, organization, id, clock.now())
  tx.publish(eventChannels.deliveries, organization)
  return true
}

/** Gives up a dead delivery for good. False if it is not dead. */
export const cancelDeadDelivery = (tx: Tx, { organization, clock }: Actor, id: string): Promise<boolean> =>
  markDeadDeliveryCancelled(tx, organization, id, clock.now())
