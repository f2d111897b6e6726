import { setTimeout as pause } from 'node:timers/promises'
import { createKeepAliveAgent, createOperationCall, send } from '../load/sender.ts'
import type { AttackTarget } from './attack-target.ts'

/** The longest times that small work of the other organization took, also of what has not ended. */
export interface NeighbourWorkTimes {
  readonly statistics_ms: number
  /** From the request to the result. */
  readonly job_ms: number
  /** Jobs that have completed. */
  readonly jobs: number
  /** Outcomes other than success. */
  readonly refusals: readonly string[]
}

export interface NeighbourWork {
  /** Waits for the work that has begun, at most this long, and returns what was measured. */
  end(timeout_ms: number): Promise<NeighbourWorkTimes>
}

const poll_ms = 50

/** A field of a response, which may be cut. */
const readField = (body: string, name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1] ?? ''

/** Until it is ended: the other organization computes statistics and converts its small image, again and again. */
export function startNeighbourWork({ url, neighbour, neighbour_raster }: AttackTarget): NeighbourWork {
  const agent = createKeepAliveAgent(2)
  const ending = new AbortController()
  const stopped = new AbortController()
  const times = { statistics_ms: 0, job_ms: 0 }
  const refusals: string[] = []
  let jobs = 0
  const call = async (operation: string, input: object): Promise<string> => {
    const { outcome, body } = await send(url, createOperationCall(operation, input, neighbour.api_key), agent)
    if (outcome !== '200' && !stopped.signal.aborted) refusals.push(`${operation} ${outcome}`)
    return body
  }
  const computeStatistics = async (turn: number): Promise<void> => {
    await call('items.tile.statistics', { item_id: neighbour_raster, expression: `b1 * ${turn + 2}` })
    await pause(poll_ms)
  }
  const runJob = async (): Promise<void> => {
    const inputs = { item: neighbour_raster, compression: 'zstd' }
    const request = { process_id: 'format-conversion', workspaceId: neighbour.project, inputs, reuse: false }
    let body = await call('processing.execute', request)
    const job_id = readField(body, 'id')
    while (['dispatched', 'running', 'pending'].includes(readField(body, 'status')) && !stopped.signal.aborted) {
      await pause(poll_ms)
      body = await call('processing.job.get', { job_id })
    }
    if (readField(body, 'status') === 'completed') jobs += 1
    else if (!stopped.signal.aborted) refusals.push(`job ${readField(body, 'status')}`)
  }
  const repeat = async (name: keyof typeof times, run: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const begun_ms = performance.now()
      await run(turn)
      times[name] = Math.max(times[name], performance.now() - begun_ms)
    }
  }
  const running = Promise.all([repeat('statistics_ms', computeStatistics), repeat('job_ms', runJob)])
  return {
    end: async (timeout_ms) => {
      ending.abort()
      await Promise.race([running, pause(timeout_ms, undefined, { ref: false }).then(() => stopped.abort())])
      agent.destroy()
      await running
      return { ...times, jobs, refusals }
    },
  }
}
