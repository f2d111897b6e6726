import { availableParallelism, totalmem } from 'node:os'
import {
  type Raster,
  type RasterJobName,
  type RasterJobRequest,
  type RasterJobResult,
  type RasterPool,
  type RescaleRange,
  createRasterPool,
  isLongJob,
  rejectOnAbort,
} from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import {
  type FairQueue,
  type FairQueueOwner,
  createFairQueue,
  getCallerFairQueueOwner,
} from '../../engine/fair-queue.ts'
import { type ServiceContainer, defineService } from '../../engine/process-services.ts'
import { type RasterFailureFields, convertRasterFailures } from './failures.ts'
import type { BoundedCache } from '../../platform/bounded-cache.ts'

/** Ranges by opened file and style: the preview is read once, not per tile, even if a request is cancelled. */
type StretchCache = WeakMap<Raster['levels'], BoundedCache<string, Promise<readonly RescaleRange[]>>>

export interface RasterPoolSettings {
  /** 0 starts one thread per core. */
  readonly threads: number
  readonly cache_mib: number
  /** The longest time that a request waits for a thread. */
  readonly max_wait_ms?: number
}

const mebibyte = 1024 * 1024

export interface RasterThreadJobOptions {
  readonly signal?: AbortSignal
  /** The fields of the input that a failure is reported for. */
  readonly fields?: RasterFailureFields
  /** True runs the job alone in a process of its own. */
  readonly isolated?: boolean
}

/** The raster work of one organization, fairly queued beside that of the others. */
export interface OrganizationRasterJobRunner {
  /**
   * Runs a job on rasters in a thread (see `RasterPool.run`). Short jobs and long ones wait in queues of their own.
   * Raster failures become problems of the fields in the request; throws `rate-limited` or `unavailable` if the queue
   * is full.
   */
  run<Name extends RasterJobName>(
    job: Name,
    rasters: readonly Raster[],
    request: RasterJobRequest<Name>,
    options?: RasterThreadJobOptions,
  ): Promise<RasterJobResult<Name>>
  /** Resolves when a thread is ready for long jobs, so that its start does not count against time limits. */
  ready(): Promise<void>
  readonly stretchCache: StretchCache
}

/** The raster threads of a process and the queue of their jobs. Threads start with the first job. */
export interface RasterService {
  forOwner(owner: FairQueueOwner): OrganizationRasterJobRunner
  close(): Promise<void>
}

export const rasterServiceKey = defineService<RasterService>('rasters')

/** The raster work of the caller's organization. */
export const getCallerRasterJobRunner = (
  call: Pick<Call, 'principal' | 'processServices'>,
): OrganizationRasterJobRunner => call.processServices.get(rasterServiceKey).forOwner(getCallerFairQueueOwner(call))

/** The raster work of an organization that no request waits for. */
export const getBackgroundRasterJobRunner = (
  services: ServiceContainer,
  organization: string,
): OrganizationRasterJobRunner => services.get(rasterServiceKey).forOwner({ organization, background: true })

/** The queue limits: some seconds of tiles per organization. */
const max_waiting = 4000
const max_waiting_per_organization = 1000

/** The queue of a job: short, long, or alone in a process. */
type QueueName = 'short' | 'long' | 'isolated'
type QueuedPool = RasterPool & { readonly queues: Readonly<Record<QueueName, FairQueue>> }

export function createRasterService(settings: RasterPoolSettings): RasterService {
  let pool: QueuedPool | null = null
  const openPool = (): QueuedPool => (pool ??= createQueuedPool(settings))
  const stretchCache: StretchCache = new WeakMap()
  return {
    forOwner: (owner) => ({
      stretchCache,
      ready: () => openPool().ready('long'),
      run: (job, rasters, request, { signal, fields, isolated = false } = {}) => {
        const { run, queues } = openPool()
        const queue = queues[isolated ? 'isolated' : isLongJob(job) ? 'long' : 'short']
        const queued = () => queue.run(owner, () => run(job, rasters, request, { signal, isolated }), signal)
        // A request that is cancelled while queued fails like one that is cancelled later.
        return convertRasterFailures(() => rejectOnAbort(queued(), signal), fields)
      },
    }),
    close: async () => pool?.close(),
  }
}

function createQueuedPool({
  threads,
  cache_mib,
  max_wait_ms = Number.POSITIVE_INFINITY,
}: RasterPoolSettings): QueuedPool {
  const pool = createRasterPool({
    threads: threads || availableParallelism(),
    cache_bytes: Math.min(cache_mib * mebibyte, Math.floor(totalmem() / 4)),
  })
  const common = { subject: 'images', max_waiting, max_waiting_per_organization, max_wait_ms }
  const { short, long, isolated } = pool.limits
  return {
    ...pool,
    queues: {
      short: createFairQueue({ ...common, ...short }),
      // A long job keeps its thread, perhaps for hours: an organization that has none gets an extra one at once.
      long: createFairQueue({ ...common, ...long, max_shared: Math.ceil(long.max_running / 2) }),
      isolated: createFairQueue({ ...common, ...isolated }),
    },
  }
}
