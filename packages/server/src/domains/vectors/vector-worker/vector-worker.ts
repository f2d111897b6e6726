import { Worker } from 'node:worker_threads'
import { createFairQueue, type QueueOwner } from '../../../engine/fair-queue.ts'
import { Problem } from '../../../engine/problem.ts'
import type {
  DatasetLocation,
  VectorWorkerResponse,
  VectorJobName,
  VectorJobs,
  VectorWorkerRequest,
} from './worker-thread.ts'
import type { MeasuredArea, AreaMeasureRequest } from './measure-areas.ts'

const job_timeout_ms = 30_000
const max_heap_mib = 1024

/** The worker thread with the cached datasets. It belongs to the process, whichever application uses it. */
let sharedWorker: Worker | null = null
/** The queue of the worker. A job may take its whole time limit, so few may wait. */
const queue = createFairQueue({
  subject: 'vector data',
  max_running: 1,
  max_waiting: 400,
  max_waiting_per_organization: 100,
  max_wait_ms: 10_000,
})

export type VectorJobInput<Job extends VectorJobName> = Parameters<VectorJobs[Job]>[1]
export type VectorJobResult<Job extends VectorJobName> = ReturnType<VectorJobs[Job]>

/** A job on a dataset. */
export interface VectorJobRequest<Job extends VectorJobName> {
  readonly job: Job
  readonly place: DatasetLocation
  readonly request: VectorJobInput<Job>
  /** Reads the bytes of a dataset that the worker can neither read itself nor has cached. */
  readonly fetchBytes: () => Promise<Uint8Array>
  /** Aborting removes the job from the queue. */
  readonly signal: AbortSignal
}

/**
 * Runs a job in the vector worker, one at a time and fairly queued by organization. Throws `budget-exceeded` for a job that
 * takes more than 30 seconds or a gibibyte, `rate-limited` or `unavailable` if the queue is full.
 */
export function runVectorJob<Job extends VectorJobName>(
  owner: QueueOwner,
  jobRequest: VectorJobRequest<Job>,
): Promise<VectorJobResult<Job>> {
  const { job, place, request, fetchBytes, signal } = jobRequest
  const runJob = async (): Promise<VectorJobResult<Job>> => {
    const message = { job, place, request, bytes: null }
    const firstResponse = await postRequest(message)
    const response =
      'wants' in firstResponse ? await postRequest({ ...message, bytes: await fetchBytes() }) : firstResponse
    return unwrapResponse(response) as VectorJobResult<Job>
  }
  return queue.run(owner, runJob, signal)
}

/** Measures areas within footprints in the same worker, with the same limits (see `measureAreas`). */
export function measureAreasInWorker(
  owner: QueueOwner,
  request: AreaMeasureRequest,
  signal: AbortSignal,
): Promise<MeasuredArea[]> {
  const runJob = async (): Promise<MeasuredArea[]> =>
    unwrapResponse(await postRequest({ job: 'areas', request, bytes: null })) as MeasuredArea[]
  return queue.run(owner, runJob, signal)
}

function unwrapResponse(response: VectorWorkerResponse): unknown {
  if ('value' in response) return response.value
  throw new Error(
    'fault' in response ? `vector data: ${response.fault}` : 'vector data: the bytes were requested twice',
  )
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: max_heap_mib },
  })
  worker.unref()
  return worker
}

/** A worker that exits or takes too long is replaced for the next job. */
async function postRequest(message: VectorWorkerRequest): Promise<VectorWorkerResponse> {
  const worker = (sharedWorker ??= startWorker())
  const timeoutSignal = AbortSignal.timeout(job_timeout_ms)
  worker.ref()
  try {
    return await new Promise<VectorWorkerResponse>((resolve, reject) => {
      timeoutSignal.addEventListener('abort', () => reject(tooCostly('time')), { once: true })
      worker.once('message', resolve)
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly('memory') : error),
      )
      worker.postMessage(message, message.bytes ? [message.bytes.buffer as ArrayBuffer] : [])
    })
  } catch (error) {
    sharedWorker = null
    await worker.terminate()
    throw error
  } finally {
    worker.unref()
    worker.removeAllListeners('message')
    worker.removeAllListeners('error')
  }
}

const tooCostly = (resource: string): Problem =>
  new Problem('budget-exceeded', `The features need more ${resource} than one request may use. Request fewer features.`)
