import { availableParallelism, totalmem } from 'node:os'
import {
  createRasterPool,
  type JobName,
  type Raster,
  type RasterPool,
  type RequestOf,
  type ValueOf,
} from '@swath/raster'
import { withProblems, type FailureFields } from './failures.ts'

export interface DarkroomTerms {
  /** 0 is one for each core. */
  readonly threads: number
  readonly cache_mib: number
}

const mebibyte = 1024 * 1024

/** The threads that work on pixels. They belong to the process, as its cores do, whoever's house it is. */
let pool: RasterPool | null = null
let terms: DarkroomTerms = { threads: 0, cache_mib: 64 }

/** Says how large the darkroom is, before the first work in it; later words change nothing. */
export function furnishDarkroom(wanted: DarkroomTerms): void {
  terms = wanted
}

/** Resolves once a thread is there to work: time that is given to work does not go by while threads start. */
export const darkroomReady = (): Promise<void> => (pool ??= openPool()).ready()

/** Has a thread do a job on rasters (see `RasterPool.run`). Failures of rasters leave as problems of the fields named. */
export function develop<Name extends JobName>(
  job: Name,
  rasters: readonly Raster[],
  request: RequestOf<Name>,
  signal?: AbortSignal,
  fields?: FailureFields,
): Promise<ValueOf<Name>> {
  return withProblems(() => (pool ??= openPool()).run(job, rasters, request, signal), fields)
}

const openPool = (): RasterPool =>
  createRasterPool({
    threads: terms.threads || availableParallelism(),
    cache_bytes: Math.min(terms.cache_mib * mebibyte, Math.floor(totalmem() / 4)),
  })
