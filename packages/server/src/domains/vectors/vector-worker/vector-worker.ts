import { defineService } from '../../../engine/process-services.ts'
import { Worker } from 'node:worker_threads'
import type { Call } from '../../../engine/call.ts'
import {
  createFairQueue,
  getCallerFairQueueOwner,
  type FairQueue,
  type FairQueueOwner,
} from '../../../engine/fair-queue.ts'
import { Problem } from '../../../engine/problem.ts'
import type {
  DatasetLocation,
  DatasetlessJobs,
  VectorWorkerResponse,
  VectorJobName,
  VectorJobHandlers,
  VectorWorkerRequest,
} from './worker-thread.ts'
import type { MeasuredArea, AreaMeasureRequest } from './measure-areas.ts'
import type { MeasuredCoverage, OrderedArea } from './measure-coverage.ts'
import type { CoverRequest } from './measure-covers.ts'

const job_timeout_ms = 30_000
const max_heap_mib = 1024

export type VectorJobInput<Job extends VectorJobName> = Parameters<VectorJobHandlers[Job]>[1]
export type VectorJobResult<Job extends VectorJobName> = ReturnType<VectorJobHandlers[Job]>

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

/** The vector work of one organization, one job at a time and fairly queued beside that of the others. */
export interface OrganizationVectorJobRunner {
  /**
   * Runs a job on the features of a dataset. Throws `budget-exceeded` for a job that takes more than 30 seconds or a
   * gibibyte, `rate-limited` or `unavailable` if the queue is full.
   */
  run<Job extends VectorJobName>(jobRequest: VectorJobRequest<Job>): Promise<VectorJobResult<Job>>
  /** Measures areas within footprints, with the same limits (see `measureAreas`). */
  measureAreas(request: AreaMeasureRequest, signal: AbortSignal): Promise<MeasuredArea[]>
  /** Measures the delivered part of each list of ordered areas, with the same limits (see `measureCoverage`). */
  measureCoverage(lists: readonly (readonly OrderedArea[])[], signal: AbortSignal): Promise<MeasuredCoverage[]>
  /** The fraction of an area that each list of footprints covers, or null (see `measureCoveredFractions`). */
  measureCovers(request: CoverRequest, signal: AbortSignal): Promise<(number | null)[]>
}

/** The worker thread of a process with its cached datasets, and the queue of its jobs. It starts with the first job. */
export interface VectorService {
  forOwner(owner: FairQueueOwner): OrganizationVectorJobRunner
  close(): Promise<void>
}

export const vectorServiceKey = defineService<VectorService>('vectors')

/** The vector work of the caller's organization. */
export const getCallerVectorJobRunner = (
  call: Pick<Call, 'principal' | 'processServices'>,
): OrganizationVectorJobRunner => call.processServices.get(vectorServiceKey).forOwner(getCallerFairQueueOwner(call))

export function createVectorService(): VectorService {
  const worker = new VectorWorker()
  const queue = createJobQueue()
  const runWithoutDataset = <Job extends keyof DatasetlessJobs>(
    owner: FairQueueOwner,
    job: Job,
    request: Parameters<DatasetlessJobs[Job]>[0],
    signal: AbortSignal,
  ): Promise<ReturnType<DatasetlessJobs[Job]>> => {
    const runJob = async () =>
      unwrapResponse(await worker.post({ job, request, bytes: null })) as ReturnType<DatasetlessJobs[Job]>
    return queue.run(owner, runJob, signal)
  }
  return {
    forOwner: (owner) => ({
      run: ({ job, place, request, fetchBytes, signal }) => {
        const runJob = async () => {
          const message = { job, place, request, bytes: null }
          const firstResponse = await worker.post(message)
          const response =
            'wants' in firstResponse ? await worker.post({ ...message, bytes: await fetchBytes() }) : firstResponse
          return unwrapResponse(response) as VectorJobResult<typeof job>
        }
        return queue.run(owner, runJob, signal)
      },
      measureAreas: (request, signal) => runWithoutDataset(owner, 'areas', request, signal),
      measureCoverage: (lists, signal) => runWithoutDataset(owner, 'coverage', lists, signal),
      measureCovers: (request, signal) => runWithoutDataset(owner, 'covers', request, signal),
    }),
    close: () => worker.close(),
  }
}

/** A job may take its whole time limit, so few may wait. */
const createJobQueue = (): FairQueue =>
  createFairQueue({
    subject: 'vector data',
    max_running: 1,
    max_waiting: 400,
    max_waiting_per_organization: 100,
    max_wait_ms: 10_000,
  })

function unwrapResponse(response: VectorWorkerResponse): unknown {
  if ('value' in response) return response.value
  throw new Error(
    'fault' in response ? `vector data: ${response.fault}` : 'vector data: the bytes were requested twice',
  )
}

function startThread(): Worker {
  const thread = new Worker(new URL('./worker-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: max_heap_mib },
  })
  thread.unref()
  return thread
}

/** The thread; one that exits or takes too long is replaced for the next job. */
class VectorWorker {
  #thread: Worker | null = null

  async post(message: VectorWorkerRequest): Promise<VectorWorkerResponse> {
    const thread = (this.#thread ??= startThread())
    const timeoutSignal = AbortSignal.timeout(job_timeout_ms)
    thread.ref()
    try {
      return await new Promise<VectorWorkerResponse>((resolve, reject) => {
        timeoutSignal.addEventListener('abort', () => reject(tooCostly('time')), { once: true })
        thread.once('message', resolve)
        thread.once('error', (error: Error & { code?: string }) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly('memory') : error),
        )
        thread.postMessage(message, message.bytes ? [message.bytes.buffer as ArrayBuffer] : [])
      })
    } catch (error) {
      this.#thread = null
      await thread.terminate()
      throw error
    } finally {
      thread.unref()
      thread.removeAllListeners('message')
      thread.removeAllListeners('error')
    }
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
    this.#thread = null
  }
}

const tooCostly = (resource: string): Problem =>
  new Problem('budget-exceeded', `The features need more ${resource} than one request may use. Request fewer features.`)
