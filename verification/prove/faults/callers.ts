import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@swath/client/client.ts'
import { createOperationCall, createKeepAliveAgent, send, type HttpCall, type HttpCallResult } from '../load/sender.ts'
import { countOutcome, type OutcomeTally } from '../load/samples.ts'
import { uploadFile } from '../load/upload-file.ts'
import type { OrderPlacement } from '../harness/orders.ts'
import { pickServer, type FaultsFixture } from './fixture.ts'

/** Results of all callers since their start. */
interface CallerLog {
  readonly tally: OutcomeTally
  readonly slowest: { ms: number; call: string }
  /** Responses with status 500. */
  readonly internal: string[]
}

export interface Callers {
  readonly log: CallerLog
  /** Stops new calls and waits for those in progress. */
  stop(): Promise<void>
}

/** Much longer than the server's own timeouts. */
const timeout_ms = 90_000

/**
 * Places orders with idempotency keys, uploads files and searches, alternating between processes, until stopped.
 *
 * @param slowness by which the pauses between calls are multiplied.
 */
export function startCallers(fixture: FaultsFixture, slowness: number): Callers {
  const log: CallerLog = { tally: new Map(), slowest: { ms: 0, call: '' }, internal: [] }
  let stopped = false
  let turn = 0
  const agent = createKeepAliveAgent(32)
  const sendCall = async (call: string, request: HttpCall) => {
    const response = await send(pickServer(fixture, turn++).url, request, agent, timeout_ms)
    recordResponse(log, call, response)
    return response
  }
  const { workload } = fixture
  const order = async (): Promise<void> => {
    const offer = workload.offers[workload.placements.length % workload.offers.length]!
    const placement: OrderPlacement = { ...offer, key: `fault-${workload.placements.length}`, order: null }
    workload.placements.push(placement)
    const request = createOrderRequest(fixture, placement)
    const { outcome, body } = await sendCall('order', request)
    if (outcome === '202') placement.order = (JSON.parse(body) as { id: string }).id
  }
  const callerLoops: readonly (readonly [() => Promise<unknown>, rest_ms: number])[] = [
    [order, 250],
    [() => upload(fixture, log, turn++), 600],
    [() => sendCall('search', createOperationCall('stac.search', { limit: 5 }, workload.token)), 40],
    [() => sendCall('balance', createOperationCall('billing.credits.balance', {}, workload.token)), 40],
  ]
  const under_way = new Set<Promise<unknown>>()
  const loop = async ([work, pause_ms]: (typeof callerLoops)[number]): Promise<void> => {
    while (!stopped) {
      // Callers do not wait for each other, as in a real outage.
      if (under_way.size < 60) {
        const pendingCall = work().catch(() => {})
        under_way.add(pendingCall)
        void pendingCall.finally(() => under_way.delete(pendingCall))
      }
      await pause(pause_ms * slowness)
    }
  }
  const loops = callerLoops.map(loop)
  return {
    log,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
      await Promise.all(under_way)
      agent.destroy()
    },
  }
}

const createOrderRequest = ({ workload }: FaultsFixture, { captures, key }: OrderPlacement): HttpCall => {
  const request = createOperationCall('orders.archive.place', { captures }, workload.token)
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } }
}

function recordResponse(log: CallerLog, call: string, { outcome, took_ms, body }: HttpCallResult): void {
  countOutcome(log.tally, outcome)
  if (took_ms > log.slowest.ms) Object.assign(log.slowest, { ms: took_ms, call })
  if (outcome === '500') log.internal.push(`${call}: ${body.slice(0, 200)}`)
}

/** Uploads a file during the fault; a completed upload session is recorded for the final check. */
async function upload(fixture: FaultsFixture, log: CallerLog, turn: number): Promise<void> {
  const { workload } = fixture
  const client = createClient({ baseUrl: pickServer(fixture, turn).url, token: workload.token })
  const start = performance.now()
  try {
    const until_ms = start + timeout_ms
    const { upload_id } = await uploadFile(client, {
      project_id: workload.project,
      file_name: `fault_${turn}.tif`,
      bytes: workload.image,
      until_ms,
    })
    workload.uploads.push(upload_id)
    countOutcome(log.tally, 'upload done')
  } catch (error) {
    const { status, message } = error as { status?: number; message: string }
    const took_ms = status === undefined ? 0 : performance.now() - start
    recordResponse(log, 'upload', { outcome: String(status ?? 'upload cut'), took_ms, body: message })
  }
}
