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
  /** 0 is one for each core. */
  readonly threads: number
  readonly cache_mib: number
  /** What a caller waits for a thread at most. */
  readonly max_wait_ms?: number
}

const mebibyte = 1024 * 1024

/** The threads that work on pixels. They belong to the process, as its cores do, whoever's house it is. */
let opened: SharedPool | null = null
let terms: DarkroomTerms = { threads: 0, cache_mib: 64 }

/** Says how large the darkroom is, before the first work in it; later words change nothing. */
export function furnishDarkroom(wanted: DarkroomTerms): void {
  terms = wanted
}

/** Resolves once a thread is there to work: time that is given to work does not go by while threads start. */
export const darkroomReady = (): Promise<void> => (opened ??= openPool()).ready()

/**
 * Has a thread do a job on rasters (see `RasterPool.run`) when it is the owner's turn. Failures of rasters leave as problems
 * of the fields named; throws `rate-limited` or `unavailable` where too much waits already.
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
  // Who gives up while waiting is told what is told to those who give up later.
  return withProblems(
    () =>
      untilCancelled(
        queue.run(owner, () => run(job, rasters, request, signal), signal),
        signal,
      ),
    fields,
  )
}

/** What may wait: some seconds of tiles for every organization. */
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
