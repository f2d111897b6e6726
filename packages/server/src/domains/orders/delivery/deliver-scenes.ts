import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { TaskContext } from '../../../engine/task.ts'
import { monotonic_ms } from '../../../platform/clock.ts'
import { HostRefusal, type HostFile, type ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { withWorkFolder } from '../../../platform/work-folder.ts'
import { ensureResultCollection } from '../../collections/result-collection.ts'
import { addDeliveredItem, type DeliveredAsset } from '../../items/deliver.ts'
import type { ItemMetadataWriter } from '../../items/metadata-limit.ts'
import { fetchOrderedScene, findDeliveryArea, toDeliveredItem } from './fetch-scene.ts'
import { isHostDocumentFile } from './store-documents.ts'
import { toOrderFailure, transitionOrder, type OrderFailure } from '../order-transitions.ts'
import { requireDeliveryHost } from '../place-with-host.task.ts'
import {
  lockOrder,
  markOrderCaptureDelivered,
  updateOrderCollection,
  type OrderCaptureRow,
  type OrderRow,
} from '../store.ts'

const scene_timeout_ms = 600_000
/** Scenes that are written in one transaction; bounds the time for which it locks the order. */
const max_batch_scenes = 20
/** A scene that is fetched is in the project after this, however long the next one takes. */
const max_batch_ms = 10_000

/** One attempt to fulfil an order. */
export interface FulfilmentAttempt {
  readonly context: TaskContext
  readonly actor: ItemMetadataWriter
  readonly order: OrderRow
  /** A time of `monotonic_ms`. */
  readonly deadline_ms: number
}

/** A delivery of which something is still to come. */
export interface PendingSceneDelivery {
  /** The time when the host will have it; null if it names none. */
  readonly ready_at: Date | null
}

export type HostDeliveryOutcome = 'done' | PendingSceneDelivery | OrderFailure

/** A scene whose files are in blob storage. */
interface FetchedScene {
  readonly capture: OrderCaptureRow
  readonly host: ImageryHost
  readonly area: AreaGeometry | null
  readonly assets: readonly DeliveredAsset[]
}

/**
 * Fetches one scene after the other and writes them in batches. A broken scene does not hold back the rest; of several
 * failures the first is returned. A wait if the deadline has passed before the last scene.
 */
export async function deliverScenes(
  attempt: FulfilmentAttempt,
  captures: readonly OrderCaptureRow[],
  files: readonly HostFile[],
): Promise<HostDeliveryOutcome> {
  const failures: OrderFailure[] = []
  let batch: FetchedScene[] = []
  let begin_ms = monotonic_ms()
  const writeFetched = async (): Promise<void> => {
    failures.push(...(await writeBatch(attempt, batch)))
    batch = []
  }
  for (const capture of captures) {
    if (monotonic_ms() > attempt.deadline_ms) {
      await writeFetched()
      return { ready_at: null }
    }
    if (batch.length === 0) begin_ms = monotonic_ms()
    try {
      batch.push(await fetchCapture(attempt, capture, files))
    } catch (error) {
      failures.push(toSceneFailure(attempt, capture, error))
    }
    if (batch.length === max_batch_scenes || monotonic_ms() - begin_ms > max_batch_ms) await writeFetched()
  }
  await writeFetched()
  return failures[0] ?? 'done'
}

async function fetchCapture(
  { context, order }: FulfilmentAttempt,
  capture: OrderCaptureRow,
  files: readonly HostFile[],
): Promise<FetchedScene> {
  const sceneFiles = files.filter((file) => file.scene === capture.scene_id)
  if (sceneFiles.every(isHostDocumentFile)) throw new HostRefusal(`The delivery has no file for "${capture.scene_id}".`)
  const host = requireDeliveryHost(context, capture.host)
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(scene_timeout_ms)])
  const area = await findDeliveryArea({ ...context, signal }, order, host, capture)
  const assets = await withWorkFolder((folder) =>
    fetchOrderedScene(context, { order, capture, files: sceneFiles, area, folder, signal }),
  )
  return { capture, host, area, assets }
}

/** Writes a batch; if that fails, each scene by itself, so that only those that cannot be written are missing. */
async function writeBatch(attempt: FulfilmentAttempt, batch: readonly FetchedScene[]): Promise<OrderFailure[]> {
  const [first] = batch
  if (!first) return []
  try {
    await writeScenes(attempt, batch)
    return []
  } catch (error) {
    if (batch.length === 1) return [toSceneFailure(attempt, first.capture, error)]
    attempt.context.signal.throwIfAborted()
    attempt.context.log.warn({ order: attempt.order.id, error }, 'a batch of scenes could not be written')
  }
  const failures: OrderFailure[] = []
  for (const scene of batch) failures.push(...(await writeBatch(attempt, [scene])))
  return failures
}

/** Writes the items of scenes in one transaction, with the event that names their number if they are the first. */
async function writeScenes(
  { context, actor, order }: FulfilmentAttempt,
  batch: readonly FetchedScene[],
): Promise<void> {
  const { organization } = actor
  await context.database.forOrganization(organization).transaction(async (tx) => {
    // An order that was stopped meanwhile because its payment ended delivers nothing more.
    const status = await lockOrder(tx, organization, order.id)
    if (status !== 'PLACED' && status !== 'BEING_FULFILLED') return
    const now = actor.clock.now()
    const added: FetchedScene[] = []
    for (const scene of batch)
      if (await markOrderCaptureDelivered(tx, organization, scene.capture.item_id, now)) added.push(scene)
    if (added.length === 0) return
    const collection_id = await ensureResultCollection(tx, actor, {
      project_id: order.project_id,
      source: { type: 'order', id: order.id },
      name: order.display_name,
    })
    await updateOrderCollection(tx, organization, order.id, collection_id)
    for (const scene of added) await addDeliveredItem(tx, actor, toDeliveredItem({ order, collection_id, ...scene }))
    await transitionOrder(tx, actor, {
      id: order.id,
      move: 'begin_delivery',
      details: { newItemCount: added.length },
      at: now,
    })
  })
}

/** Throws if the process is stopping or the task timed out: that is not a failure of the delivery. */
function toSceneFailure({ context, order }: FulfilmentAttempt, capture: OrderCaptureRow, error: unknown): OrderFailure {
  context.signal.throwIfAborted()
  context.log.warn({ order: order.id, scene: capture.scene_id, error }, 'a scene could not be delivered')
  return toOrderFailure(error, 'delivery-failed')
}
