import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { actorOf, task, type Job } from '../../engine/task.ts'
import { HostRefusal, type ImageryHost } from '../../platform/outside/imagery-host.ts'
import type { Actor } from '../events/emit.ts'
import { endWithoutDelivery } from './end.ts'
import { fulfilOrderTask } from './fulfilment.ts'
import { reasonOf, stepOrder } from './moves.ts'
import { placeWithHost } from './place.ts'
import { findOrder, listCaptures, listOrderHosts, setReference, type OrderRow } from './store.ts'

/** Places a new order with its hosts; retries failures, and closes the order after the last one or a refusal. */
export const placeOrderWithHost = task(
  placeWithHost,
  Type.Object({ organization_id: Uuid, order_id: Uuid }),
  { limit: 8, delay_s: 5, backoff: true, expire_s: 300 },
  async (job, { organization_id, order_id }) => {
    const actor = actorOf(job, organization_id)
    const order = await takeUp(job, actor, order_id)
    if (!order) return
    try {
      await handOver(job, order)
    } catch (error) {
      await putBack(job, actor, order, error)
      return
    }
    await job.database.of(organization_id).transaction(async (tx) => {
      const placed = await stepOrder(tx, actor, order.id, 'accept')
      if (placed)
        await job.queue.enqueue(tx, fulfilOrderTask, { organization_id, order_id }, { singleton_key: order_id })
    })
  },
)

/** Moves the order to BEING_PLACED from wherever an earlier attempt left it; null if it is past that. */
async function takeUp(job: Job, actor: Actor, id: string): Promise<OrderRow | null> {
  const db = job.database.of(actor.organization)
  const order = await findOrder(db, actor.organization, id)
  if (!order) return null
  // An earlier attempt was killed; hosts accept an order id only once, so placing again is safe.
  if (order.status === 'BEING_PLACED') return order
  const move = order.status === 'PLACEMENT_FAILED' ? 'retry' : 'hand_over'
  return db.transaction((tx) => stepOrder(tx, actor, id, move))
}

async function handOver(job: Job, order: OrderRow): Promise<void> {
  const db = job.database.of(order.organization_id)
  const captures = await listCaptures(db, order.organization_id, order.id)
  for (const part of await listOrderHosts(db, order.organization_id, order.id)) {
    if (part.reference !== null) continue
    const host = hostOf(job, part.host)
    const scenes = captures.filter((capture) => capture.host === part.host).map((capture) => capture.scene_id)
    const { reference } = await host.place({ id: order.id, scenes }, job.signal)
    await setReference(db, order.organization_id, order.id, part.host, reference)
  }
}

export function hostOf(job: Job, name: string): ImageryHost {
  const host = job.outside.hosts.get(name)
  if (!host) throw new HostRefusal(`The host "${name}" is no longer served.`)
  return host
}

/** A failure keeps the order and its hold for a retry; a refusal or the last failure closes it. */
async function putBack(job: Job, actor: Actor, order: OrderRow, error: unknown): Promise<void> {
  // The process is stopping or the task timed out: the next attempt continues from BEING_PLACED.
  job.signal.throwIfAborted()
  const final = error instanceof HostRefusal || job.last
  const reason = reasonOf(error, 'host-failed')
  await job.database.of(actor.organization).transaction(async (tx) => {
    if (!(await stepOrder(tx, actor, order.id, 'refuse', { reason }))) return
    if (final) await endWithoutDelivery(tx, actor, order, 'give_up', reason)
  })
  if (!final) throw error
}
