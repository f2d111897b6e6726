import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { checkStoppedDatabase, type OrderPlacement } from '../order-checks.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { startServer, type ServerProcess } from '../server-process.ts'
import { clientOf, grantCredits, serverSettings } from './crash-server.ts'

const demo = new URL('../../../packages/server/demo/', import.meta.url)
const scene_counts = { short: 100, long: 500 }
const kill_counts = { short: 3, long: 8 }
const delivery_ms = 600_000
const poll_ms = 100

interface DemoScene {
  readonly id: string
  readonly geometry: object
  readonly bbox: readonly number[]
  readonly assets: readonly { readonly files: readonly { readonly path: string }[] }[]
}

/**
 * One order of hundreds of scenes of an archive, during whose delivery the server is killed again and again: in the end
 * each scene is one item, and the order costs its estimate.
 */
export async function proveLargeOrder({ short, seed }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-large-order-'))
  const lane = short ? 'short' : 'long'
  const random = createRandom(seed)
  try {
    const count = scene_counts[lane]
    const geometry = await writeArchive(join(folder, 'archive'), count)
    const environment = {
      ...serverSettings(join(folder, 'data')),
      CATALOG_HOSTS_FILE: join(folder, 'archive/hosts.json'),
    }
    let server = await startServer(environment)
    await grantCredits(clientOf(server))
    const placement = await placeOrder(clientOf(server), geometry, count)
    let kills = 0
    for (let tries = 0; kills < kill_counts[lane] && tries < 5 * kill_counts[lane]; tries++) {
      const parts = 1 + kill_counts[lane] - kills
      const delivered = await killDuringDelivery(server, placement, { after_ms: 200 + random() * 2500, parts })
      server = await startServer(environment)
      if (delivered === null) break
      if (delivered > 0) kills++
      console.log(`kill ${kills}/${kill_counts[lane]} of the large order, after ${delivered} of ${count} scenes`)
    }
    const violations = await checkOrder(clientOf(server), placement, count)
    if (kills < kill_counts[lane])
      violations.push(`only ${kills} kills happened during the delivery of the large order`)
    await server.stop()
    violations.push(...(await checkStoppedDatabase(join(folder, 'data'), [placement])))
    return { tried: `${kills} kills during the delivery of one order of ${count} scenes`, violations }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An archive whose items share one small file; returns their footprint. */
async function writeArchive(folder: string, count: number): Promise<object> {
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
  const { geometry, bbox, assets } = scenes.find(({ id }) => id === 'naip-va-17n')!
  await mkdir(join(folder, 'scenes'), { recursive: true })
  await copyFile(new URL(`scenes/${assets[0]!.files[0]!.path}`, demo), join(folder, 'scenes/scene.tif'))
  const features = Array.from({ length: count }, (_, index) => ({
    type: 'Feature',
    stac_version: '1.0.0',
    id: sceneId(index),
    collection: 'scenes',
    geometry,
    bbox,
    properties: { datetime: new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString() },
    links: [],
    assets: { data: { href: './scene.tif', type: 'image/tiff; application=geotiff', roles: ['data'] } },
  }))
  await writeFile(join(folder, 'scenes/items.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
  const licence = { license: 'proprietary', license_url: 'https://example.com/licence', attribution: 'Example' }
  const price = { product: 'Archive', rate_credits: 700, minimum_km2: 0.01, licences: ['standard'] }
  const collections = [{ id: 'scenes', title: 'Scenes', price }]
  const host = { kind: 'archive', name: 'large', title: 'Large archive', ...licence, folder: 'scenes', collections }
  await writeFile(join(folder, 'hosts.json'), JSON.stringify({ hosts: [host] }))
  return geometry
}

const sceneId = (index: number): string => `scene-${String(index).padStart(4, '0')}`

async function placeOrder(client: Client, geometry: object, count: number): Promise<OrderPlacement> {
  const captures = Array.from({ length: count }, (_, index) => ({ id: sceneId(index), geometry, host: 'large' }))
  const { total_credits } = await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })
  const key = 'large-order'
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey: key })
  return { key, captures, credits: total_credits, order: id }
}

interface OrderState {
  readonly status: string
  readonly itemCount: number
  readonly creditsCaptured: number
  readonly captures: readonly { readonly deliveredAt: string | null }[]
}

const readOrder = (client: Client, { order }: OrderPlacement): Promise<OrderState> =>
  client.call<OrderState>('orders.get', { order_id: order })

/**
 * Kills the server some time after the delivery goes on, or when a fraction of the remaining scenes is delivered, so
 * that a fast delivery is not over too early; returns the number of scenes delivered by then, or null if all were.
 */
async function killDuringDelivery(
  server: ServerProcess,
  placement: OrderPlacement,
  { after_ms, parts }: { readonly after_ms: number; readonly parts: number },
): Promise<number | null> {
  const client = clientOf(server)
  const { itemCount: before } = await readOrder(client, placement)
  const max_items = before + Math.ceil((placement.captures.length - before) / parts)
  const until = performance.now() + delivery_ms
  let state = await readOrder(client, placement)
  while (state.status !== 'FULFILLED' && state.itemCount === before && performance.now() < until) {
    await pause(poll_ms)
    state = await readOrder(client, placement)
  }
  const end = performance.now() + after_ms
  while (state.itemCount < max_items && performance.now() < end) {
    await pause(poll_ms)
    state = await readOrder(client, placement)
  }
  await server.kill()
  return state.status === 'FULFILLED' ? null : state.itemCount
}

async function checkOrder(client: Client, placement: OrderPlacement, count: number): Promise<string[]> {
  const until = performance.now() + delivery_ms
  let state = await readOrder(client, placement)
  while (state.status !== 'FULFILLED' && performance.now() < until) {
    await pause(poll_ms)
    state = await readOrder(client, placement)
  }
  const violations: string[] = []
  if (state.status !== 'FULFILLED')
    violations.push(`the large order is ${state.status} after ${state.itemCount} scenes`)
  else if (state.itemCount !== count)
    violations.push(`the large order has ${state.itemCount} items instead of ${count}`)
  else if (state.creditsCaptured !== placement.credits)
    violations.push(`the large order was charged ${state.creditsCaptured} instead of ${placement.credits}`)
  violations.push(...(await checkBatches(client, placement, state)))
  return violations
}

/** Scenes of one batch have one time; the event of the first batch counts its scenes. */
async function checkBatches(client: Client, { order }: OrderPlacement, { captures }: OrderState): Promise<string[]> {
  const { events } = await client.call<{ events: { event_type: string; data: { newItemCount?: number } }[] }>(
    'events.list',
    { entity_id: order },
  )
  const counts = [...Map.groupBy(captures, ({ deliveredAt }) => deliveredAt ?? '').entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, batch]) => batch.length)
  console.log(`the large order was delivered in ${counts.length} batches, of at most ${Math.max(...counts)} scenes`)
  const begun = events.filter(({ event_type }) => event_type === 'order.being_fulfilled')
  const violations: string[] = []
  if (begun.length !== 1 || begun[0]?.data.newItemCount !== counts[0])
    violations.push(
      `the large order began ${begun.length} times, with ${begun[0]?.data.newItemCount} of ${counts[0]} items`,
    )
  if (counts.length === captures.length) violations.push('every batch of the large order has one scene')
  return violations
}
