import { createClient } from '@swath/client/client.ts'
import { callOf, keptConnections, send, type Sending } from '../load/sender.ts'
import { count, type Tally } from '../load/samples.ts'
import { uploadFile } from '../load/upload-file.ts'
import type { Placement } from '../crash-books.ts'
import { urlOf, type World } from './world.ts'

/** Results of all callers since their start. */
export interface Heard {
  readonly tally: Tally
  readonly longest: { ms: number; call: string }
  /** Responses with status 500. */
  readonly internal: string[]
}

export interface Callers {
  readonly heard: Heard
  /** Stops new calls and waits for those in progress. */
  stop(): Promise<void>
}

/** Much longer than the server's own timeouts. */
const patience_ms = 90_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Places orders with idempotency keys, uploads files and searches, alternating between processes, until stopped. */
export function startCallers(world: World): Callers {
  const heard: Heard = { tally: new Map(), longest: { ms: 0, call: '' }, internal: [] }
  let stopped = false
  let turn = 0
  const agent = keptConnections(32)
  const ask = async (call: string, request: Sending) => {
    const answer = await send(urlOf(world, turn++), request, agent, patience_ms)
    note(heard, call, answer.outcome, answer.took_ms, answer.body)
    return answer
  }
  const { shop } = world
  const order = async (): Promise<void> => {
    const offer = shop.offers[shop.placements.length % shop.offers.length]!
    const placement: Placement = { ...offer, key: `fault-${shop.placements.length}`, order: null }
    shop.placements.push(placement)
    const request = orderOf(world, placement)
    const { outcome, body } = await ask('order', request)
    if (outcome === '202') placement.order = (JSON.parse(body) as { id: string }).id
  }
  const works: readonly (readonly [() => Promise<unknown>, rest_ms: number])[] = [
    [order, 250],
    [() => upload(world, heard, turn++), 600],
    [() => ask('search', callOf('stac.search', { limit: 5 }, shop.token)), 40],
    [() => ask('balance', callOf('billing.credits.balance', {}, shop.token)), 40],
  ]
  const under_way = new Set<Promise<unknown>>()
  const loop = async ([work, rest_ms]: (typeof works)[number]): Promise<void> => {
    while (!stopped) {
      // Callers do not wait for each other, as in a real outage.
      if (under_way.size < 60) {
        const one = work().catch(() => {})
        under_way.add(one)
        void one.finally(() => under_way.delete(one))
      }
      await pause(rest_ms)
    }
  }
  const loops = works.map(loop)
  return {
    heard,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
      await Promise.all(under_way)
      agent.destroy()
    },
  }
}

export const orderOf = ({ shop }: World, { captures, key }: Placement): Sending => {
  const request = callOf('orders.archive.place', { captures }, shop.token)
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } }
}

function note(heard: Heard, call: string, outcome: string, took_ms: number, body: string): void {
  count(heard.tally, outcome)
  if (took_ms > heard.longest.ms) Object.assign(heard.longest, { ms: took_ms, call })
  if (outcome === '500') heard.internal.push(`${call}: ${body.slice(0, 200)}`)
}

/** Uploads a file during the fault; a completed upload session is recorded for the final check. */
async function upload(world: World, heard: Heard, turn: number): Promise<void> {
  const { shop } = world
  const client = createClient({ base: urlOf(world, turn), token: shop.token })
  const start = performance.now()
  const took = (): number => performance.now() - start
  try {
    const until_ms = start + patience_ms
    const { upload_id } = await uploadFile(client, shop.project, `fault_${turn}.tif`, shop.image, until_ms)
    shop.uploads.push(upload_id)
    count(heard.tally, 'upload done')
  } catch (error) {
    const { status, message } = error as { status?: number; message: string }
    note(heard, 'upload', String(status ?? 'upload cut'), status === undefined ? 0 : took(), message)
  }
}
