import { availableParallelism, totalmem } from 'node:os'
import {
  createRasterPool,
  untilCancelled,
  type JobName,
  type Raster,
  type RasterPool,
  type RequestOf,
  type ValueOf,
} from '@swath/raster'
import { createFairQueue, type FairQueue, type WorkOwner } from '../../engine/fair-queue.ts'
import { withProblems, type FailureFields } from './failures.ts'

export interface DarkroomTerms {
  /** 0 starts one thread per core. */
  readonly threads: number
  readonly cache_mib: number
  /** The longest time that a request waits for a thread. */
  readonly max_wait_ms?: number
}

const mebibyte = 1024 * 1024

/** The pool of raster threads. It belongs to the process, like its cores, whichever application uses it. */
let opened: SharedPool | null = null
let terms: DarkroomTerms = { threads: 0, cache_mib: 64 }

/** Configures the pool before its first use; later calls have no effect. */
export function furnishDarkroom(wanted: DarkroomTerms): void {
  terms = wanted
}

/** Resolves when a thread is ready, so that its start does not count against time limits. */
export const darkroomReady = (): Promise<void> => (opened ??= openPool()).ready()

/**
 * Runs a job on rasters in a thread (see `RasterPool.run`), fairly queued by organization. Raster failures become problems
 * of the given fields; throws `rate-limited` or `unavailable` if the queue is full.
 */
export function develop<Name extends JobName>(
  owner: WorkOwner,
  job: Name,
  rasters: readonly Raster[],
  request: RequestOf<Name>,
  signal?: AbortSignal,
  fields?: FailureFields,
): Promise<ValueOf<Name>> {
  const { run, queue } = (opened ??= openPool())
  // A request that is cancelled while queued fails like one that is cancelled later.
  return withProblems(
    () =>
      untilCancelled(
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

function openPool(): SharedPool {
  const pool = createRasterPool({
    threads: terms.threads || availableParallelism(),
    cache_bytes: Math.min(terms.cache_mib * mebibyte, Math.floor(totalmem() / 4)),
  })
  const { max_wait_ms = Number.POSITIVE_INFINITY } = terms
  const limits = { max_running: pool.max_running, max_waiting, max_waiting_per_organization, max_wait_ms }
  return { ...pool, queue: createFairQueue({ subject: 'images', ...limits }) }
}
