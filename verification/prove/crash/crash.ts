import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import {
  checkStoppedDatabase,
  createOffer,
  findScenes,
  placeOrder,
  retryUnanswered,
  waitForDeliveries,
  readOrder,
  type Offer,
  type OrderPlacement,
} from '../harness/orders.ts'
import { createRandom } from '../harness/random.ts'
import { createFolder, waitFor } from '../harness/resources.ts'
import { grantCredits, startServer, type ServerProcess } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSceneItem, readDemoScene } from '../harness/demo-scene.ts'

const short_kills = 2
const long_kills = 20
const between_ms = 60
/** For the delivery of one order after the one before it: on a busy machine hundreds of orders take longer than this. */
const delivery_ms = 300_000

interface CrashScenario {
  readonly offers: readonly Offer[]
  readonly placements: OrderPlacement[]
  /** Maximum random uptime of a server before it is killed. */
  readonly max_uptime_ms: number
  readonly random: () => number
}

/** Many small orders, and one with hundreds of scenes. */
export async function proveCrash(options: ProofOptions): Promise<ProofResult> {
  const many = await proveManyOrders(options)
  const large = await proveLargeOrder(options)
  return { tried: `${many.tried}; ${large.tried}`, violations: [...many.violations, ...large.violations] }
}

/**
 * Kills the server repeatedly while orders are placed and delivered, restarts it each time, retries every placement without
 * a response with its idempotency key, and at the end checks every order and the ledger.
 */
async function proveManyOrders({ short, seed }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('crash')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path })
  const wantedKills = short ? short_kills : long_kills
  const violations: string[] = []
  let kills = 0
  await grantCredits(server.client)
  const offers = await createOffers(server.client)
  const placements: OrderPlacement[] = []
  const scenario = { offers, placements, max_uptime_ms: short ? 500 : 1500, random: createRandom(seed) }
  for (let tries = 0; kills < wantedKills && tries < wantedKills * 5; tries++) {
    const isCounted = await placeOrdersUntilKilled(server, scenario)
    if (isCounted) kills++
    await server.start()
    console.log(
      `kill ${kills}/${wantedKills}${isCounted ? '' : ' (no order in progress: not counted)'}, ${placements.length} placements`,
    )
    await retryUnanswered(server.client, placements)
  }
  if (kills < wantedKills) violations.push(`only ${kills} of ${wantedKills} kills happened with an order in progress`)
  violations.push(...(await waitForDeliveries(server.client, placements, delivery_ms)))
  // A completed idempotency key always returns the same order.
  for (const placement of placements.slice(-10))
    await placeOrder(server.client, placement).catch((error: Error) => violations.push(error.message))
  await server.stop()
  violations.push(...(await checkStoppedDatabase(folder.path, placements)))
  return { tried: `${kills} kills with orders in progress, ${placements.length} placements`, violations }
}

/** The offers that the proof orders: one free scene, one priced scene, and both together. */
async function createOffers(client: Client): Promise<Offer[]> {
  const [free, priced] = [await findScenes(client, 'open', 50), await findScenes(client, 'commercial', 50)]
  const offers: Offer[] = []
  for (const captures of [[free[0]!], [priced[0]!], [priced.at(-1)!, free.at(-1)!]])
    offers.push(await createOffer(client, captures))
  return offers
}

/** Places orders at short intervals and kills the server at a random time; true if an order was in progress then. */
async function placeOrdersUntilKilled(server: ServerProcess, scenario: CrashScenario): Promise<boolean> {
  const { client } = server
  const uptime_ms = 150 + scenario.random() * scenario.max_uptime_ms
  let isDead = false
  let under_way = 0
  const killed = pause(uptime_ms).then(async () => {
    under_way = await countOpenOrders(client, scenario)
    await server.kill()
    isDead = true
  })
  const calls: Promise<void>[] = []
  while (!isDead) {
    const offer = scenario.offers[Math.floor(scenario.random() * scenario.offers.length)]!
    const placement: OrderPlacement = { ...offer, key: `crash-${scenario.placements.length}`, order: null }
    scenario.placements.push(placement)
    calls.push(placeOrder(client, placement).catch(() => {}))
    await pause(between_ms)
  }
  await Promise.all([killed, ...calls])
  return under_way > 0
}

/** Number of orders in progress: without a response yet, or not in a final status. */
async function countOpenOrders(client: Client, scenario: CrashScenario): Promise<number> {
  const unanswered = scenario.placements.filter((placement) => placement.order === null).length
  if (unanswered > 0) return unanswered
  const open = 'CREATED,BEING_PLACED,PLACED,BEING_FULFILLED'
  const { totalElements } = await client.call<{ totalElements: number }>('orders.list', { status: open, size: 1 })
  return totalElements
}

const scene_counts = { short: 40, long: 500 }
const kill_counts = { short: 1, long: 8 }
const large_delivery_ms = 600_000

/**
 * One order of hundreds of scenes of an archive, during whose delivery the server is killed again and again: in the end
 * each scene is one item, and the order costs its estimate.
 */
async function proveLargeOrder({ short, seed }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('large-order')
  const lane = short ? 'short' : 'long'
  const random = createRandom(seed)
  const count = scene_counts[lane]
  const geometry = await writeArchive(join(folder.path, 'archive'), count)
  await using server = await startServer({
    SWATH_DATA_DIR: join(folder.path, 'data'),
    CATALOG_HOSTS_FILE: join(folder.path, 'archive/hosts.json'),
  })
  await grantCredits(server.client)
  const captures = Array.from({ length: count }, (_, index) => ({ id: sceneId(index), geometry, host: 'large' }))
  const offer = await createOffer(server.client, captures)
  const placement: OrderPlacement = { ...offer, key: 'large-order', order: null }
  await placeOrder(server.client, placement)
  let kills = 0
  for (let tries = 0; kills < kill_counts[lane] && tries < 5 * kill_counts[lane]; tries++) {
    const parts = 1 + kill_counts[lane] - kills
    const delivered = await killDuringDelivery(server, placement, { after_ms: 200 + random() * 2500, parts })
    await server.start()
    if (delivered === null) break
    if (delivered > 0) kills++
    console.log(`kill ${kills}/${kill_counts[lane]} of the large order, after ${delivered} of ${count} scenes`)
  }
  const violations = await waitForDeliveries(server.client, [placement], large_delivery_ms)
  violations.push(...(await checkBatches(server.client, placement)))
  if (kills < kill_counts[lane]) violations.push(`only ${kills} kills happened during the delivery of the large order`)
  await server.stop()
  violations.push(...(await checkStoppedDatabase(join(folder.path, 'data'), [placement])))
  return { tried: `${kills} kills during the delivery of one order of ${count} scenes`, violations }
}

/** An archive whose items share one small file; returns their footprint. */
async function writeArchive(folder: string, count: number): Promise<object> {
  const scene = await readDemoScene()
  await mkdir(join(folder, 'scenes'), { recursive: true })
  await copyFile(scene.path, join(folder, 'scenes/scene.tif'))
  const features = Array.from({ length: count }, (_, index) =>
    createSceneItem(scene, sceneId(index), new Date(Date.UTC(2025, 0, 1, 0, index)), './scene.tif'),
  )
  await writeFile(join(folder, 'scenes/items.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
  const licence = { license: 'proprietary', license_url: 'https://example.com/licence', attribution: 'Example' }
  const price = { product: 'Archive', rate_credits: 700, minimum_km2: 0.01, licences: ['standard'] }
  const collections = [{ id: 'scenes', title: 'Scenes', price }]
  const host = { kind: 'archive', name: 'large', title: 'Large archive', ...licence, folder: 'scenes', collections }
  await writeFile(join(folder, 'hosts.json'), JSON.stringify({ hosts: [host] }))
  return scene.geometry
}

const sceneId = (index: number): string => `scene-${String(index).padStart(4, '0')}`

/**
 * Kills the server some time after the delivery goes on, or when a fraction of the remaining scenes is delivered, so
 * that a fast delivery is not over too early; returns the number of scenes delivered by then, or null if all were.
 */
async function killDuringDelivery(
  server: ServerProcess,
  placement: OrderPlacement,
  { after_ms, parts }: { readonly after_ms: number; readonly parts: number },
): Promise<number | null> {
  const read = () => readOrder(server.client, placement.order)
  const { itemCount: before } = await read()
  const max_items = before + Math.ceil((placement.captures.length - before) / parts)
  const waitUntil = (isReached: (items: number) => boolean, timeout_ms: number) =>
    waitFor(
      async () => {
        const { status, itemCount } = await read()
        return status === 'FULFILLED' || isReached(itemCount)
      },
      { timeout_ms },
    )
  await waitUntil((items) => items !== before, large_delivery_ms)
  await waitUntil((items) => items >= max_items, after_ms)
  const { status, itemCount } = await read()
  await server.kill()
  return status === 'FULFILLED' ? null : itemCount
}

/** Scenes of one batch have one time; the event of the first batch counts its scenes. */
async function checkBatches(client: Client, { order }: OrderPlacement): Promise<string[]> {
  const { captures } = await readOrder(client, order)
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
