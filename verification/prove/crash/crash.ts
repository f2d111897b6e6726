import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { checkStoppedDatabase, type OrderPlacement } from '../order-checks.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { startServer, type ServerProcess } from '../server-process.ts'
import { clientOf, grantCredits, serverSettings } from './crash-server.ts'
import { proveLargeOrder } from './large-order.ts'

const short_kills = 5
const long_kills = 20
const between_ms = 60
/** For the delivery of one order after the one before it: on a busy machine hundreds of orders take longer than this. */
const delivery_ms = 300_000

interface CrashScenario {
  readonly offers: readonly { readonly captures: readonly object[]; readonly credits: number }[]
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
  const folder = await mkdtemp(join(tmpdir(), 'swath-crash-'))
  const environment = serverSettings(folder)
  const wantedKills = short ? short_kills : long_kills
  const violations: string[] = []
  let kills = 0
  let tries = 0
  try {
    let server = await startServer(environment)
    await grantCredits(clientOf(server))
    const offers = await createOffers(clientOf(server))
    const scenario: CrashScenario = {
      offers,
      placements: [],
      max_uptime_ms: short ? 500 : 1500,
      random: createRandom(seed),
    }
    while (kills < wantedKills && tries < wantedKills * 5) {
      tries++
      const isCounted = await placeOrdersUntilKilled(server, scenario)
      if (isCounted) kills++
      server = await startServer(environment)
      console.log(
        `kill ${kills}/${wantedKills}${isCounted ? '' : ' (no order in progress: not counted)'}, ${scenario.placements.length} placements`,
      )
      await retryUnanswered(clientOf(server), scenario)
    }
    if (kills < wantedKills) violations.push(`only ${kills} of ${wantedKills} kills happened with an order in progress`)
    violations.push(...(await checkDeliveries(clientOf(server), scenario.placements)))
    violations.push(...(await checkReplays(clientOf(server), scenario.placements)))
    await server.stop()
    violations.push(...(await checkStoppedDatabase(folder, scenario.placements)))
    return { tried: `${kills} kills with orders in progress, ${scenario.placements.length} placements`, violations }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The offers that the proof orders: one free scene, one priced scene, and both together. */
async function createOffers(client: Client): Promise<CrashScenario['offers']> {
  const findCaptures = async (host: string) => {
    const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
      host_name: host,
      limit: 50,
    })
    return features.map(({ id, geometry }) => ({ id, geometry, host }))
  }
  const [free, priced] = [await findCaptures('open'), await findCaptures('commercial')]
  const captureLists = [[free[0]!], [priced[0]!], [priced.at(-1)!, free.at(-1)!]]
  const offers: { captures: readonly object[]; credits: number }[] = []
  for (const captures of captureLists) {
    const { total_credits } = await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })
    offers.push({ captures, credits: total_credits })
  }
  return offers
}

/** Places orders at short intervals and kills the server at a random time; true if an order was in progress then. */
async function placeOrdersUntilKilled(server: ServerProcess, scenario: CrashScenario): Promise<boolean> {
  const client = clientOf(server)
  const uptime_ms = 150 + scenario.random() * scenario.max_uptime_ms
  let isDead = false
  let under_way = 0
  const killed = new Promise<void>((resolve) => setTimeout(resolve, uptime_ms)).then(async () => {
    under_way = await countOpenOrders(client, scenario)
    await server.kill()
    isDead = true
  })
  const calls: Promise<void>[] = []
  while (!isDead) {
    const offer = scenario.offers[Math.floor(scenario.random() * scenario.offers.length)]!
    const placement: OrderPlacement = { ...offer, key: `crash-${scenario.placements.length}`, order: null }
    scenario.placements.push(placement)
    calls.push(place(client, placement).catch(() => {}))
    await new Promise((resolve) => setTimeout(resolve, between_ms))
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

async function place(client: Client, placement: OrderPlacement): Promise<void> {
  const { captures, key } = placement
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey: key })
  placement.order = id
}

/** Retries every placement without a response with its idempotency key, also while the key is in flight. */
async function retryUnanswered(client: Client, scenario: CrashScenario): Promise<void> {
  for (const placement of scenario.placements.filter(({ order }) => order === null)) {
    let refusal: unknown = null
    for (let tries = 0; placement.order === null && tries < 40; tries++) {
      await place(client, placement).catch((error: unknown) => {
        refusal = error
        return new Promise((resolve) => setTimeout(resolve, 500))
      })
    }
    if (placement.order === null)
      throw new Error(`the placement ${placement.key} gets no successful response`, { cause: refusal })
  }
}

interface OrderState {
  readonly status: string
  readonly itemCount: number
  readonly creditsCaptured: number
}

async function checkDeliveries(client: Client, placements: readonly OrderPlacement[]): Promise<string[]> {
  const violations: string[] = []
  for (const placement of placements) {
    let order: OrderState | null = null
    const until = performance.now() + delivery_ms
    while (performance.now() < until) {
      order = await client.call<OrderState>('orders.get', { order_id: placement.order })
      if (order.status === 'FULFILLED') break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    if (order?.status !== 'FULFILLED') violations.push(`order ${placement.order} is ${order?.status}`)
    else if (order.itemCount !== placement.captures.length)
      violations.push(`order ${placement.order} has ${order.itemCount} items`)
    else if (order.creditsCaptured !== placement.credits) {
      violations.push(`order ${placement.order} was charged ${order.creditsCaptured} instead of ${placement.credits}`)
    }
  }
  const { totalElements } = await client.call<{ totalElements: number }>('orders.list', { size: 1 })
  if (totalElements !== placements.length)
    violations.push(`${placements.length} placements created ${totalElements} orders`)
  return violations
}

/** A completed idempotency key always returns the same order. */
async function checkReplays(client: Client, placements: readonly OrderPlacement[]): Promise<string[]> {
  const violations: string[] = []
  for (const { key, captures, order } of placements.slice(-10)) {
    const { id } = await client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey: key })
    if (id !== order) violations.push(`the key ${key} returned order ${order} and then ${id}`)
  }
  return violations
}
