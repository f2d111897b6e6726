import { Worker } from 'node:worker_threads'
import { createFairQueue, type WorkOwner } from '../../../engine/fair-queue.ts'
import { Problem } from '../../../engine/problem.ts'
import type { DatasetPlace, DeskAnswer, DeskJob, DeskJobs, DeskOrder } from './desk-thread.ts'
import type { MeasuredArea, MeasureRequest } from './measure-areas.ts'

const limit_ms = 30_000
const limit_heap_mib = 1024

/** The worker thread with the cached datasets. It belongs to the process, whichever application uses it. */
let thread: Worker | null = null
/** The queue of the worker. A job may take its whole time limit, so few may wait. */
const queue = createFairQueue({
  subject: 'vector data',
  max_running: 1,
  max_waiting: 400,
  max_waiting_per_organization: 100,
  max_wait_ms: 10_000,
})

export type RequestOf<Job extends DeskJob> = Parameters<DeskJobs[Job]>[1]
export type ValueOf<Job extends DeskJob> = ReturnType<DeskJobs[Job]>

/** A job on a dataset. */
export interface DeskRequest<Job extends DeskJob> {
  readonly job: Job
  readonly place: DatasetPlace
  readonly request: RequestOf<Job>
  /** Reads the bytes of a dataset that the worker can neither read itself nor has cached. */
  readonly fetchBytes: () => Promise<Uint8Array>
  /** Aborting removes the job from the queue. */
  readonly signal: AbortSignal
}

/**
 * Runs a job in the vector worker, one at a time and fairly queued by organization. Throws `budget-exceeded` for a job that
 * takes more than 30 seconds or a gibibyte, `rate-limited` or `unavailable` if the queue is full.
 */
export function askDesk<Job extends DeskJob>(owner: WorkOwner, asked: DeskRequest<Job>): Promise<ValueOf<Job>> {
  const { job, place, request, fetchBytes, signal } = asked
  const work = async (): Promise<ValueOf<Job>> => {
    const order = { job, place, request, bytes: null }
    const first = await perform(order)
    const answer = 'wants' in first ? await perform({ ...order, bytes: await fetchBytes() }) : first
    return valueOf(answer) as ValueOf<Job>
  }
  return queue.run(owner, work, signal)
}

/** Measures areas within footprints in the same worker, with the same limits (see `measureAreas`). */
export function askForAreas(owner: WorkOwner, request: MeasureRequest, signal: AbortSignal): Promise<MeasuredArea[]> {
  const work = async (): Promise<MeasuredArea[]> =>
    valueOf(await perform({ job: 'areas', request, bytes: null })) as MeasuredArea[]
  return queue.run(owner, work, signal)
}

function valueOf(answer: DeskAnswer): unknown {
  if ('value' in answer) return answer.value
  throw new Error('fault' in answer ? `vector data: ${answer.fault}` : 'vector data: the bytes were requested twice')
}

function openThread(): Worker {
  const opened = new Worker(new URL('./desk-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: limit_heap_mib },
  })
  opened.unref()
  return opened
}

/** A worker that exits or takes too long is replaced for the next job. */
async function perform(order: DeskOrder): Promise<DeskAnswer> {
  const worker = (thread ??= openThread())
  const limit = AbortSignal.timeout(limit_ms)
  worker.ref()
  try {
    return await new Promise<DeskAnswer>((resolve, reject) => {
      limit.addEventListener('abort', () => reject(costly('time')), { once: true })
      worker.once('message', resolve)
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? costly('memory') : error),
      )
      worker.postMessage(order, order.bytes ? [order.bytes.buffer as ArrayBuffer] : [])
    })
  } catch (error) {
    thread = null
    await worker.terminate()
    throw error
  } finally {
    worker.unref()
    worker.removeAllListeners('message')
    worker.removeAllListeners('error')
  }
}

const costly = (what: string): Problem =>
  new Problem('budget-exceeded', `The features need more ${what} than one request may use. Request fewer features.`)
