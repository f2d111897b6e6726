import { totalmem } from 'node:os'
import { createBlockCache } from '../io/cache/block-cache.ts'
import { RasterFailure, checkCancelled } from '../failures.ts'
import type { Raster, RasterByteSource } from '../types.ts'
import { runInIsolatedProcess } from './isolated-process.ts'
import { type RasterJobName, type RasterJobRequest, type RasterJobResult, isLongJob } from './jobs.ts'
import { performRasterTask, performLongRasterTask } from './perform-task.ts'
import { type RasterThreads, isEndedThreadError, openRasterThreads } from './threads.ts'
import { assignCacheFileNumber } from '../io/cache/header-cache.ts'
import { type RasterDescriptor, type SidecarFile, type SourceDescriptor, sidecarFiles } from './worker-task.ts'

/** An opened file has the same number while it is in use, whatever its other metadata; no number is used twice. */
function numberFiles(): (raster: Raster) => number {
  const numbers = new WeakMap<object, number>()
  return ({ fileId, levels }) => {
    const known = fileId ?? numbers.get(levels) ?? assignCacheFileNumber()
    numbers.set(levels, known)
    return known
  }
}

function sidesOf(raster: Raster): (readonly [name: SidecarFile, source: RasterByteSource])[] {
  return sidecarFiles.flatMap((name) => (raster[name] ? [[name, raster[name]] as const] : []))
}

function describeRaster(raster: Raster, file: number, sources: readonly RasterByteSource[]): RasterDescriptor {
  const describe = (source: RasterByteSource): SourceDescriptor => {
    const { id, size, etag, path } = source
    return { number: sources.indexOf(source), id, size, etag, path }
  }
  const { maskSource: _mask, overviewSource: _overviews, maskOverviewSource: _both, ...plain } = raster
  const sides = Object.fromEntries(sidesOf(raster).map(([name, source]) => [name, describe(source)]))
  return { ...plain, file, source: describe(raster.source), sides }
}

export interface RasterPoolOptions {
  /** Worker threads; one per core uses the whole machine. */
  readonly threads: number
  /** Memory for decoded blocks that the threads share; 0 shares none. */
  readonly cache_bytes: number
  /** Heap and buffers that one long job may have; default 1.25 GiB. */
  readonly max_job_bytes?: number
}

export interface RunRasterJobOptions {
  readonly signal?: AbortSignal
  /** True runs the job alone in a process of its own, as after it may have ended one. */
  readonly isolated?: boolean
}

/** How many jobs of a kind run at once. */
export interface RasterJobLimits {
  /** As many as anybody may have, also one alone. */
  readonly max_running: number
  /** On top of these, for those that run none. */
  readonly extra: number
}

/** A pool of worker threads for raster jobs. */
export interface RasterPool {
  /**
   * Runs a job in a worker. Sources that are not local files are read in this thread on behalf of the worker. Fails with
   * `cancelled` when the signal aborts, a long job (`isLongJob`) once its thread is free; with `budget` if it needs more memory
   * than allowed, and `worker_lost` if an isolated process ended; errors of the job and of sources are passed on.
   */
  run<Name extends RasterJobName>(
    job: Name,
    rasters: readonly Raster[],
    request: RasterJobRequest<Name>,
    options?: RunRasterJobOptions,
  ): Promise<RasterJobResult<Name>>
  /** Maximum concurrent jobs; further ones are queued in FIFO order. */
  readonly limits: Readonly<Record<'short' | 'long' | 'isolated', RasterJobLimits>>
  /** Resolves when a worker is ready for such jobs. */
  ready(length: 'short' | 'long'): Promise<void>
  close(): Promise<void>
}

/** Short jobs of a thread at the same time, and as many again of those that run none. */
const short_jobs_per_thread = 4
/** Long jobs have threads of their own, more than cores: the system shares the cores among those that compute. */
const long_jobs_per_core = 2
/** Fewer where the memory of all threads together would be more than that of the machine, but not fewer than the minimum. */
const extra_long_jobs_per_core = { min: 2, max: 6 }
const default_max_job_bytes = 1280 * 1024 * 1024
/** Of the short jobs of a thread together. */
const max_short_job_bytes = 2048 * 1024 * 1024

/** Long jobs that run at once on a machine with this much memory, if each may have so much of it. */
export function computeLongJobLimits(
  threads: number,
  { memory_bytes, max_job_bytes }: { readonly memory_bytes: number; readonly max_job_bytes: number },
): RasterJobLimits {
  const max_running = threads * long_jobs_per_core
  const { min, max } = extra_long_jobs_per_core
  const extra = Math.min(threads * max, Math.floor(memory_bytes / max_job_bytes) - max_running)
  return { max_running, extra: Math.max(threads * min, extra) }
}

/** The memory of the machine, or of the control group of the process if that is less. */
const readMemoryLimit = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

function computeLimits(threads: number, max_job_bytes: number): RasterPool['limits'] {
  const long = computeLongJobLimits(threads, { memory_bytes: readMemoryLimit(), max_job_bytes })
  const max_short = threads * short_jobs_per_thread
  return {
    short: { max_running: max_short, extra: max_short },
    long,
    isolated: { max_running: 1, extra: long.extra },
  }
}

export function createRasterPool({
  threads,
  cache_bytes,
  max_job_bytes = default_max_job_bytes,
}: RasterPoolOptions): RasterPool {
  const blocks = cache_bytes > 0 ? createBlockCache({ bytes: cache_bytes }) : null
  const limits = computeLimits(threads, max_job_bytes)
  let [short, long]: [RasterThreads | null, RasterThreads | null] = [null, null]
  const openShort = (): RasterThreads =>
    (short ??= openRasterThreads({
      threads,
      jobs_per_thread: 2 * short_jobs_per_thread,
      max_bytes: max_short_job_bytes,
      niceness: 5,
      blocks,
    }))
  const openLong = (): RasterThreads =>
    (long ??= openRasterThreads({
      threads: limits.long.max_running + limits.long.extra,
      jobs_per_thread: 1,
      max_bytes: max_job_bytes,
      // Behind the short ones, for which users wait.
      niceness: 7,
      blocks,
    }))
  const fileOf = numberFiles()
  const nothing = { job: 'nothing', rasters: [], request: {} } as const
  const areReady = { short: false, long: false }
  const isolated = new AbortController()
  return {
    limits,
    ready: async (length) => {
      if (!areReady[length])
        await performRasterTask(length === 'short' ? openShort() : openLong(), nothing, [], undefined)
      areReady[length] = true
    },
    run: async (job, rasters, request, { signal, isolated: isAlone = false } = {}) => {
      checkCancelled(signal)
      const sources = rasters.flatMap((raster) => [raster.source, ...sidesOf(raster).map(([, source]) => source)])
      const descriptors = rasters.map((raster) => describeRaster(raster, fileOf(raster), sources))
      const task = { job, rasters: descriptors, request }
      if (isAlone) {
        const end = signal ? AbortSignal.any([signal, isolated.signal]) : isolated.signal
        return (await runInIsolatedProcess(task, sources, { max_bytes: max_job_bytes, signal: end })) as never
      }
      const runLong = (): Promise<unknown> =>
        performLongRasterTask(openLong(), task, sources, { max_job_bytes, signal })
      if (isLongJob(job)) return (await runLong()) as never
      // The thread of a short job may end because of another one beside it: alone it goes on, or is the one.
      const done = performRasterTask(openShort(), task, sources, signal).catch((error: unknown) => {
        if (isEndedThreadError(error)) return runLong()
        throw error
      })
      return (await done) as never
    },
    close: async () => {
      isolated.abort(new RasterFailure('cancelled', 'the pool was closed'))
      await Promise.all([short?.destroy(), long?.destroy()])
    },
  }
}
