import type { Worker } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { type BlockCacheHandle, openBlockCache } from '../io/cache/block-cache.ts'
import { RasterFailure } from '../failures.ts'
import type { WorkerResult, WorkerTask } from './worker-task.ts'

const interval_ms = 250

/**
 * Ends a thread that has more memory than allowed: heap, buffers and WebAssembly together, of which the resource limits
 * of a thread count the heap alone. The memory of a thread can be read even while it computes.
 */
function watchMemory(thread: Worker, max_bytes: number): void {
  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    thread
      .getHeapStatistics()
      .then(({ used_heap_size, external_memory }) => {
        if (used_heap_size + external_memory > max_bytes) return thread.terminate()
      })
      // It has ended.
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  }, interval_ms)
  timer.unref()
  thread.once('exit', () => clearInterval(timer))
}

/** Threads for jobs; `run` rejects with what ended the thread (`isEndedThreadError`). */
export type RasterThreads = Piscina<WorkerTask, WorkerResult>

export interface RasterThreadOptions {
  readonly threads: number
  /** That one thread works on at the same time: while one waits for bytes others go on. */
  readonly jobs_per_thread: number
  /** Of heap and buffers of one thread; one that has more is ended. */
  readonly max_bytes: number
  /** The increment of the niceness of the thread that starts these, see `worker.ts`. */
  readonly niceness: number
  /** Shared by all threads. */
  readonly blocks: BlockCacheHandle | null
}

const mebibyte = 1024 * 1024

export function openRasterThreads({
  threads,
  jobs_per_thread,
  max_bytes,
  niceness,
  blocks,
}: RasterThreadOptions): RasterThreads {
  const pool: RasterThreads = new Piscina({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 300_000,
    concurrentTasksPerWorker: jobs_per_thread,
    recordTiming: false,
    // Limits the heap alone, in case the memory watch is too late.
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(max_bytes / mebibyte) },
    workerData: { blocks, niceness },
  })
  // An idle thread that ends is replaced; without a listener it would end the process.
  pool.on('error', () => undefined)
  const cache = blocks && openBlockCache(blocks)
  pool.on('workerCreate', ({ id }: { readonly id: number }) => {
    const thread = pool.threads.find(({ threadId }) => threadId === id)
    if (!thread) return
    // The shared blocks that a worker held are released once its thread has ended, however it ended.
    thread.once('exit', () => cache?.forget(id))
    watchMemory(thread as Worker, max_bytes)
  })
  return pool
}

/** True for the error of a job whose thread was ended, by its heap limit or by `watchMemory`. */
export const isEndedThreadError = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message.startsWith('worker exited'))

export const createMemoryLimitFailure = (max_bytes: number): RasterFailure =>
  new RasterFailure('budget', `the work needs more than ${Math.ceil(max_bytes / mebibyte)} MiB of memory`)
