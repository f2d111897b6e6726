import { availableParallelism, totalmem } from 'node:os'
import {
  createRasterPool,
  rejectOnAbort,
  type RasterJobName,
  type Raster,
  type RasterPool,
  type RasterJobRequest,
  type RasterJobResult,
} from '@swath/raster'
import { createFairQueue, type FairQueue, type QueueOwner } from '../../engine/fair-queue.ts'
import { convertRasterFailures, type FailureFields } from './failures.ts'

export interface RasterPoolSettings {
  /** 0 starts one thread per core. */
  readonly threads: number
  readonly cache_mib: number
  /** The longest time that a request waits for a thread. */
  readonly max_wait_ms?: number
}

const mebibyte = 1024 * 1024

/** The pool of raster threads. It belongs to the process, like its cores, whichever application uses it. */
let sharedPool: SharedPool | null = null
let settings: RasterPoolSettings = { threads: 0, cache_mib: 64 }

/** Configures the pool before its first use; later calls have no effect. */
export function configureRasterPool(newSettings: RasterPoolSettings): void {
  settings = newSettings
}

/** Resolves when a thread is ready, so that its start does not count against time limits. */
export const rasterPoolReady = (): Promise<void> => (sharedPool ??= createSharedPool()).ready()

/** For whom a job runs. */
export interface RasterJobCaller {
  readonly owner: QueueOwner
  readonly signal?: AbortSignal
  /** The fields of the input that a failure is reported for. */
  readonly fields?: FailureFields
}

/**
 * Runs a job on rasters in a thread (see `RasterPool.run`), fairly queued by organization. Raster failures become problems
 * of the given fields; throws `rate-limited` or `unavailable` if the queue is full.
 */
export function runRasterJob<Name extends RasterJobName>(
  { owner, signal, fields }: RasterJobCaller,
  job: Name,
  rasters: readonly Raster[],
  request: RasterJobRequest<Name>,
): Promise<RasterJobResult<Name>> {
  const { run, queue } = (sharedPool ??= createSharedPool())
  // A request that is cancelled while queued fails like one that is cancelled later.
  return convertRasterFailures(
    () =>
      rejectOnAbort(
        queue.run(owner, () => run(job, rasters, request, signal), signal),
        signal,
      ),
    fields,
  )
}

/** The queue limits: some seconds of tiles per organization. */
const max_waiting = 4000
const max_waiting_per_organization = 1000

type SharedPool = RasterPool & { readonly queue: FairQueue }

function createSharedPool(): SharedPool {
  const pool = createRasterPool({
    threads: settings.threads || availableParallelism(),
    cache_bytes: Math.min(settings.cache_mib * mebibyte, Math.floor(totalmem() / 4)),
  })
  const { max_wait_ms = Number.POSITIVE_INFINITY } = settings
  const limits = { max_running: pool.max_running, max_waiting, max_waiting_per_organization, max_wait_ms }
  return { ...pool, queue: createFairQueue({ subject: 'images', ...limits }) }
}
