import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { actorOf, task, type Job } from '../../engine/task.ts'
import { monotonic_ms, shiftTime } from '../../platform/clock.ts'
import { HostRefusal, type HostFile } from '../../platform/outside/imagery-host.ts'
import { withWorkFolder } from '../../platform/work-folder.ts'
import { ensureOrderCollection } from '../collections/deliver.ts'
import { addDeliveredItem } from '../items/deliver.ts'
import type { ItemWriter } from '../items/metadata-limit.ts'
import { endWithDelivery, endWithoutDelivery } from './end.ts'
import { fetchScene, fulfilOrderTask, itemOf } from './fulfilment.ts'
import { reasonOf, stepOrder, type Reason } from './moves.ts'
import { hostOf } from './place-with-host.task.ts'
import {
  findOrder,
  listCaptures,
  listOrderHosts,
  lockOrder,
  markDelivered,
  setAskAt,
  setCollection,
  type CaptureRow,
  type OrderRow,
} from './store.ts'

const scene_timeout_ms = 600_000
/** No further scene is started after this; together with the last scene this is less than the task timeout. */
const batch_ms = 900_000
/** A host that has not delivered by then has failed. */
const patience_ms = 24 * 3_600_000

/**
 * Imports everything that the hosts of an order deliver. While a host is still working, the order is scheduled for another
 * poll (`orders.sweep`); failures are retried.
 */
export const fulfilOrder = task(
  fulfilOrderTask,
  Type.Object({ organization_id: Uuid, order_id: Uuid }),
  { limit: 5, delay_s: 5, backoff: true, expire_s: 1800 },
  async (job, { organization_id, order_id }) => {
    const actor = actorOf(job, organization_id)
    const db = job.database.of(organization_id)
    const order = await findOrder(db, organization_id, order_id)
    if (!order || (order.status !== 'PLACED' && order.status !== 'BEING_FULFILLED')) return
    const failures: Reason[] = []
    let waiting = false
    const until_ms = monotonic_ms() + batch_ms
    for (const part of await listOrderHosts(db, organization_id, order_id)) {
      const outcome = await deliverPart({ job, actor, order, until_ms }, part.host, part.reference ?? '')
      if (outcome === 'waiting') waiting = true
      else if (outcome !== 'done') failures.push(outcome)
    }
    const late = actor.clock.now().getTime() - order.created_at.getTime() > patience_ms
    if (waiting && !late) return askAgain(job, order)
    if (waiting) failures.push({ code: 'host-timeout', text: 'The host did not deliver in time.' })
    // A failure that a retry may fix is thrown; after the last attempt, or for any other failure, the order is closed.
    const open = failures.find((failure) => failure.code === 'delivery-failed')
    if (open && !job.last) throw new Error(open.text)
    await finish(job, actor, order, failures[0] ?? null)
  },
)

/** One attempt to fulfil an order. */
interface Attempt {
  readonly job: Job
  readonly actor: ItemWriter
  readonly order: OrderRow
  /** A time of `monotonic_ms`. */
  readonly until_ms: number
}

/** Delivers the captures of one host that were not delivered before. */
async function deliverPart(
  attempt: Attempt,
  hostName: string,
  reference: string,
): Promise<'done' | 'waiting' | Reason> {
  const { job, actor, order } = attempt
  const captures = await listCaptures(job.database.of(actor.organization), actor.organization, order.id)
  const missing = captures.filter((capture) => capture.host === hostName && capture.delivered_at === null)
  if (missing.length === 0) return 'done'
  try {
    const delivery = await hostOf(job, hostName).deliveries(reference, job.signal)
    if (delivery.state === 'waiting') return 'waiting'
    if (delivery.state === 'refused') return { code: 'host-refused', text: delivery.reason }
    return await deliverScenes(attempt, missing, delivery.files)
  } catch (error) {
    job.signal.throwIfAborted()
    return reasonOf(error, 'delivery-failed')
  }
}

/** One scene after the other; a broken scene does not hold back the rest. */
async function deliverScenes(
  { job, actor, order, until_ms }: Attempt,
  captures: readonly CaptureRow[],
  files: readonly HostFile[],
): Promise<'done' | 'waiting' | Reason> {
  let failure: Reason | null = null
  for (const capture of captures) {
    if (monotonic_ms() > until_ms) return 'waiting'
    const own = files.filter((file) => file.scene === capture.scene_id)
    try {
      if (own.length === 0) throw new HostRefusal(`The delivery has no file for "${capture.scene_id}".`)
      await deliverScene(job, actor, order, capture, own)
    } catch (error) {
      // The process is stopping or the task timed out: not a failure of the delivery.
      job.signal.throwIfAborted()
      job.log.warn({ order: order.id, scene: capture.scene_id, error }, 'a scene could not be delivered')
      failure ??= reasonOf(error, 'delivery-failed')
    }
  }
  return failure ?? 'done'
}

async function deliverScene(
  job: Job,
  actor: ItemWriter,
  order: OrderRow,
  capture: CaptureRow,
  files: readonly HostFile[],
): Promise<void> {
  await withWorkFolder(async (folder) => {
    const signal = AbortSignal.any([job.signal, AbortSignal.timeout(scene_timeout_ms)])
    const assets = await fetchScene(job, order, capture, files, folder, signal)
    const host = hostOf(job, capture.host)
    await job.database.of(actor.organization).transaction(async (tx) => {
      // An order that was stopped meanwhile because its payment ended delivers nothing more.
      const status = await lockOrder(tx, actor.organization, order.id)
      if (status !== 'PLACED' && status !== 'BEING_FULFILLED') return
      if (!(await markDelivered(tx, actor.organization, capture.item_id, actor.clock.now()))) return
      const collection = await ensureOrderCollection(tx, actor, {
        project_id: order.project_id,
        order_id: order.id,
        name: order.display_name,
      })
      await setCollection(tx, actor.organization, order.id, collection)
      await addDeliveredItem(tx, actor, itemOf(order, capture, host, collection, assets))
      await stepOrder(tx, actor, order.id, 'begin_delivery', { newItemCount: 1 })
    })
  })
}

/** Schedules the next poll of a host that is still working, with growing intervals. */
async function askAgain(job: Job, order: OrderRow): Promise<void> {
  const now = job.clock.of(order.organization_id).now()
  const wait_ms = Math.min(Math.max((now.getTime() - order.updated_at.getTime()) / 4, 1000), 300_000)
  await setAskAt(job.database.of(order.organization_id), order.organization_id, order.id, shiftTime(now, wait_ms))
}

async function finish(job: Job, actor: ItemWriter, order: OrderRow, failure: Reason | null): Promise<void> {
  await job.database.of(actor.organization).transaction(async (tx) => {
    const captures = await listCaptures(tx, actor.organization, order.id)
    if (captures.some((capture) => capture.delivered_at !== null)) {
      await endWithDelivery(tx, actor, order, captures, failure)
    } else {
      await endWithoutDelivery(
        tx,
        actor,
        order,
        'fail',
        failure ?? { code: 'delivery-failed', text: 'Nothing was delivered.' },
      )
    }
  })
}
