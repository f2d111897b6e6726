import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { ManualClock } from '../src/platform/clock.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { TestApp } from './test-app.ts'
import { backgroundTaskTypes } from '../src/engine/task-types.ts'

export interface OrderJson {
  readonly id: string
  readonly status: string
  readonly totalCredits: number
  readonly creditsCaptured: number
  readonly creditsRefunded: number
  readonly fulfillment: string | null
  readonly failureReason: { readonly code: string; readonly text: string } | null
  readonly statusHistory: readonly {
    readonly from: string | null
    readonly to: string
    readonly reason_code: string | null
  }[]
  readonly itemCount: number
  readonly collectionId: string | null
}

const finalStatuses = new Set(['FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'])

/** Polls an order until it has the status; throws if it reaches another final status, or after a minute. */
export async function waitForOrder(client: Client, order_id: string, status: string): Promise<OrderJson> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const order = await client.call<OrderJson>('orders.get', { order_id })
    if (order.status === status) return order
    if (finalStatuses.has(order.status))
      throw new Error(`the order ended with status ${order.status}: ${JSON.stringify(order.failureReason)}`)
    await pause(50)
  }
  throw new Error(`the order did not reach status ${status} within a minute`)
}

export interface CaptureInput {
  readonly id: string
  readonly geometry: Record<string, unknown>
  readonly host: string
}

/** Finds whole scenes of a host as captures of an order. */
export async function findCaptures(client: Client, host: string, ids: readonly string[]): Promise<CaptureInput[]> {
  const searchResult = await client.call('catalog.search', { host_name: host, ids: [...ids] })
  return ids.map((id) => {
    const feature = searchResult.features.find((entry) => entry.id === id)
    if (!feature) throw new Error(`the host "${host}" has no scene "${id}"`)
    return { id, geometry: feature.geometry as unknown as Record<string, unknown>, host }
  })
}

export interface ProductOrderInput {
  readonly dataProduct: string
  readonly params: { readonly id: string }
  readonly featureCollection: {
    readonly type: 'FeatureCollection'
    readonly features: { readonly type: 'Feature'; readonly geometry: Record<string, unknown> }[]
  }
}

/** A scene as the order of its data product, in one feature per area; by default in the whole scene. */
export async function toProductOrder(
  client: Client,
  { id, host, geometry }: CaptureInput,
  areas: readonly Record<string, unknown>[] = [geometry],
): Promise<ProductOrderInput> {
  const [scene] = (await client.call('catalog.search', { host_name: host, ids: [id] })).features
  return {
    dataProduct: await findDataProduct(client, host, scene?.collection ?? ''),
    params: { id },
    featureCollection: {
      type: 'FeatureCollection',
      features: areas.map((area) => ({ type: 'Feature', geometry: area })),
    },
  }
}

/** The id of the data product of a collection. */
export async function findDataProduct(client: Client, host: string, collection: string): Promise<string> {
  const name = `${host}:${collection}`
  return (await client.call('glossary.data_products.get', { data_product_name: name })).data_product.id
}

/** Places an order of whole scenes, by default into the first project of the caller; returns its id. */
export async function placeSceneOrder(
  client: Client,
  host: string,
  ids: readonly string[],
  projectId: string | null = null,
): Promise<string> {
  const { id } = await client.call<{ id: string }>('orders.archive.place', {
    captures: await findCaptures(client, host, ids),
    projectId,
  })
  return id
}

export interface EventJson {
  readonly event_type: string
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Lists the events of one entity, oldest first. */
export async function getEntityEvents(client: Client, entity_id: string): Promise<EventJson[]> {
  const { events } = await client.call<{ events: EventJson[] }>('events.list', { entity_id })
  return events.toReversed()
}

export interface WalletBalance {
  readonly available: number
  readonly held: number
}

export async function getWalletBalance(client: Client): Promise<WalletBalance> {
  const { available_credits, held_credits } = await client.call('billing.credits.balance', {})
  return { available: available_credits, held: held_credits }
}

/** Enqueues the sweep for due orders, as the schedule does every few seconds. */
export const enqueueOrderSweep = (app: TestApp): Promise<void> =>
  app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepOrders, {}))

/** Waits until no order task is active or due. */
export async function waitForOrderTasks(app: TestApp): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const busy = await app.database.unscoped.query(sql`
      select id from boss.job
      where name like 'orders.%' and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`)
    if (busy.length === 0) return
    await pause(50)
  }
  throw new Error('order tasks were still pending after half a minute')
}

/**
 * Moves the time of an organization and does the due work for its orders. A sweep passes over an order whose task is
 * running, so running ones end before.
 */
export async function advanceOrders(
  app: TestApp,
  clock: Pick<ManualClock, 'advance'>,
  organization: string,
  hours: number,
): Promise<void> {
  await waitForOrderTasks(app)
  clock.advance(hours * 3_600_000, organization)
  await enqueueOrderSweep(app)
  await waitForOrderTasks(app)
}
