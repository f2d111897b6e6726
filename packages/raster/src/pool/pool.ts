import { getPriority } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { createBlockCache, openBlockCache } from '../io/cache/block-cache.ts'
import type { BlockCacheHandle } from '../io/cache/block-cache.ts'
import { nextFileNumber } from '../io/cache/header-cache.ts'
import { RasterFailure, checkCancelled, rejectOnAbort } from '../failures.ts'
import type { Raster, Source } from '../types.ts'
import type { RasterJobName, RasterJobRequest, RasterJobResult } from './jobs.ts'
import { SIDE_FILES } from './worker-task.ts'
import type {
  WorkerResult,
  ReadResponse,
  WorkerTask,
  RasterDescriptor,
  SideFile,
  SourceDescriptor,
  ReadRequest,
} from './worker-task.ts'

export interface PoolOptions {
  /** Worker threads; one per core uses the whole machine. */
  readonly threads: number
  /** Memory for decoded blocks that the threads share; 0 shares none. */
  readonly cache_bytes: number
}

/** A pool of worker threads for raster jobs. */
export interface RasterPool {
  /**
   * Runs a job in a worker. Sources that are not local files are read in this thread on behalf of the worker. Fails with
   * `cancelled` when the signal aborts; errors of the job and of sources are passed on.
   */
  run<Name extends RasterJobName>(
    job: Name,
    rasters: readonly Raster[],
    request: RasterJobRequest<Name>,
    signal?: AbortSignal,
  ): Promise<RasterJobResult<Name>>
  /** Maximum concurrent jobs; further ones are queued in FIFO task. */
  readonly max_running: number
  /** Resolves when a worker is ready. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * What is added to the niceness of the process: where there are fewer cores than work, these threads give way to the one that
 * answers. Linux alone has priorities of threads. A result of -1 is also how nice(2) says that it failed, and would end the
 * process.
 */
export const niceIncrement = (niceness: number): number => (niceness + 5 === -1 ? 6 : 5)
const NICENESS = process.platform === 'linux' ? niceIncrement(getPriority()) : 0

/** While one job waits for bytes a worker begins others. */
const JOBS_A_WORKER = 4

export function createRasterPool({ threads, cache_bytes }: PoolOptions): RasterPool {
  const blocks = cache_bytes > 0 ? createBlockCache({ bytes: cache_bytes }) : null
  const workers = new Piscina<WorkerTask, WorkerResult>({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 300_000,
    concurrentTasksPerWorker: JOBS_A_WORKER,
    niceIncrement: NICENESS,
    recordTiming: false,
    workerData: { blocks },
  })
  if (blocks) forgetEnded(workers, blocks)
  const fileOf = numberFiles()
  const nothing = { job: 'nothing', rasters: [], request: {} } as const
  let isReady = false
  return {
    max_running: threads * JOBS_A_WORKER,
    ready: async () => {
      if (!isReady) await perform(workers, nothing, [], undefined)
      isReady = true
    },
    run: async (job, rasters, request, signal) => {
      checkCancelled(signal)
      const sources = rasters.flatMap((raster) => [raster.source, ...sidesOf(raster).map(([, source]) => source)])
      const descriptor = rasters.map((raster) => describeRaster(raster, fileOf(raster), sources))
      return (await perform(workers, { job, rasters: descriptor, request }, sources, signal)) as never
    },
    close: () => workers.destroy(),
  }
}

/** What a worker held of the shared blocks is taken back once its thread has ended, however it ended. */
function forgetEnded(workers: Piscina<WorkerTask, WorkerResult>, blocks: BlockCacheHandle): void {
  const cache = openBlockCache(blocks)
  workers.on('workerCreate', ({ id }: { readonly id: number }) => {
    const thread = workers.threads.find(({ threadId }) => threadId === id)
    thread?.once('exit', () => cache.forget(id))
  })
}

/** An opened file has the same number as long as it lives, whatever else is said of it; no number is given twice. */
function numberFiles(): (raster: Raster) => number {
  const numbers = new WeakMap<object, number>()
  return ({ fileId, levels }) => {
    const known = fileId ?? numbers.get(levels) ?? nextFileNumber()
    numbers.set(levels, known)
    return known
  }
}

function sidesOf(raster: Raster): (readonly [name: SideFile, source: Source])[] {
  return SIDE_FILES.flatMap((name) => (raster[name] ? [[name, raster[name]] as const] : []))
}

function describeRaster(raster: Raster, file: number, sources: readonly Source[]): RasterDescriptor {
  const describe = (source: Source): SourceDescriptor => {
    const { id, size, etag, path } = source
    return { number: sources.indexOf(source), id, size, etag, path }
  }
  const { maskSource: _mask, overviewSource: _overviews, maskOverviewSource: _both, ...plain } = raster
  const sides = Object.fromEntries(sidesOf(raster).map(([name, source]) => [name, describe(source)]))
  return { ...plain, file, source: describe(raster.source), sides }
}

async function perform(
  workers: Piscina<WorkerTask, WorkerResult>,
  task: Pick<WorkerTask, 'job' | 'rasters' | 'request'>,
  sources: readonly Source[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const reads = sources.every(({ path }) => path !== undefined) ? null : serveReads(sources, signal)
  const sent: WorkerTask = { ...task, cancelled, port: reads?.port ?? null }
  const working = workers.run(sent, { transferList: reads ? [reads.port] : [] }).finally(() => reads?.end())
  const answer = await rejectOnAbort(working, signal, () => Atomics.store(cancelled, 0, 1))
  if ('value' in answer) return answer.value
  checkCancelled(signal)
  throw reads?.failure() ?? new RasterFailure(answer.failure.kind, answer.failure.message)
}

interface ServedReads {
  /** The worker's end. */
  readonly port: MessagePort
  /** What a source threw first: it says more than the worker can know. */
  readonly failure: () => unknown
  readonly end: () => void
}

/** Reads for a worker what only this thread can read. */
function serveReads(sources: readonly Source[], signal: AbortSignal | undefined): ServedReads {
  const { port1: own, port2: port } = new MessageChannel()
  let failure: unknown
  own.on('message', async ({ id, source, offset, length }: ReadRequest) => {
    let bytes: Uint8Array | null = null
    try {
      bytes = await sources[source]!.read(offset, length, signal)
    } catch (error) {
      failure ??= error
    }
    own.postMessage({ id, bytes } satisfies ReadResponse)
  })
  return { port, failure: () => failure, end: () => own.close() }
}
