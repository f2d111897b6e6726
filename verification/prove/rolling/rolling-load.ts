import { setTimeout as pause } from 'node:timers/promises'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { Client } from '@swath/client/client.ts'
import { createKeepAliveAgent, createOperationCall, send } from '../load/sender.ts'
import type { OrderPlacement } from '../order-checks.ts'
import { login } from './cluster.ts'

/** A call that had no successful response. */
export interface FailedCall {
  readonly operation: string
  readonly outcome: string
  /** On the clock of `performance.now()`. */
  readonly begin_ms: number
  readonly end_ms: number
}

export interface RollingLoad {
  readonly failed: FailedCall[]
  readonly placements: OrderPlacement[]
  readonly counts: { reads: number; writes: number }
  readonly times_ms: number[]
  /** Ends after the calls in progress. */
  stop(): Promise<void>
}

const reads: readonly (readonly [string, object])[] = [
  ['orders.list', { size: 1 }],
  ['items.search_org', { bbox: [-180, -85, 180, 85], limit: 5 }],
  ['billing.credits.balance', {}],
  ['stac.search', { limit: 5 }],
]
const readers = 3
const between_reads_ms = 60
const between_writes_ms = 500
const statusOk = /^2\d\d$/

/** The offers that the load orders: one free scene, and one priced scene. */
async function findOffers(client: Client): Promise<{ captures: object[]; credits: number }[]> {
  const offers: { captures: object[]; credits: number }[] = []
  for (const host of ['open', 'commercial']) {
    const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
      host_name: host,
      limit: 1,
    })
    const captures = features.map(({ id, geometry }) => ({ id, geometry, host }))
    const { total_credits } = await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })
    offers.push({ captures, credits: total_credits })
  }
  return offers
}

/** Reads and placements of orders without a pause in between restarts; nothing is repeated, so that each failure counts. */
export async function startLoad(url: string, client: Client): Promise<RollingLoad> {
  const offers = await findOffers(client)
  const takeToken = createTokenSource(url, login)
  const agent = createKeepAliveAgent(readers + 1)
  const load = {
    failed: [] as FailedCall[],
    placements: [] as OrderPlacement[],
    counts: { reads: 0, writes: 0 },
    times_ms: [] as number[],
  }
  let isStopped = false
  const call = async (operation: string, input: object, headers: object = {}): Promise<string | null> => {
    // A token is requested by fetch, before the call; a failure of that is one of the sign-in.
    const token = await takeToken().catch(() => null)
    const begin_ms = performance.now()
    const request = createOperationCall(operation, input, token)
    const { outcome, body, took_ms } =
      token === null
        ? { outcome: 'no token', body: '', took_ms: 0 }
        : await send(url, { ...request, headers: { ...request.headers, ...headers } }, agent)
    if (statusOk.test(outcome)) {
      load.times_ms.push(took_ms)
      return body
    }
    load.failed.push({ operation, outcome, begin_ms, end_ms: performance.now() })
    return null
  }
  const read = async (first: number): Promise<void> => {
    for (let turn = first; !isStopped; turn++) {
      await call(...reads[turn % reads.length]!)
      load.counts.reads++
      await pause(between_reads_ms)
    }
  }
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const offer = offers[load.placements.length % offers.length]!
      const placement: OrderPlacement = { ...offer, key: `rolling-${load.placements.length}`, order: null }
      load.placements.push(placement)
      const input = { captures: placement.captures }
      const body = await call('orders.archive.place', input, { 'idempotency-key': placement.key })
      if (body !== null) placement.order = (JSON.parse(body) as { id: string }).id
      load.counts.writes++
      await pause(between_writes_ms)
    }
  }
  const callers = [...Array.from({ length: readers }, (_, index) => read(index)), write()]
  return {
    ...load,
    stop: async () => {
      isStopped = true
      await Promise.all(callers)
      agent.destroy()
    },
  }
}
