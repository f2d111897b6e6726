import { getPriority, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import type { BlockCacheHandle } from '../io/cache/block-cache.ts'
import { setSharedBlockCache } from '../io/cache/per-thread.ts'
import { RasterFailure } from '../failures.ts'
import type { Raster } from '../types.ts'
import { type ReadTaskSource, openDescribedRaster } from './open-described-raster.ts'
import { type RasterJobName, rasterJobFunctions } from './jobs.ts'
import type { SourceReadRequest, SourceReadResponse, WorkerResult, WorkerTask } from './worker-task.ts'

/** Arrays smaller than this are cheaper to copy. */
const min_transfer_bytes = 16_384

/** An answer whose large arrays go over to the caller instead of being copied. */
function transferBuffers(value: unknown): WorkerResult {
  const buffers = new Set<ArrayBuffer>()
  const answer = { value: release(value, buffers) }
  if (buffers.size === 0) return answer
  const parcel = { [transferableSymbol]: [...buffers], [valueSymbol]: answer }
  return move(parcel as never) as unknown as WorkerResult
}

// Only arrays that own their whole buffer may go: others would take a neighbour's bytes with them.
function release(value: unknown, buffers: Set<ArrayBuffer>): unknown {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength >= min_transfer_bytes) {
      if (value.byteLength < value.buffer.byteLength && value instanceof Uint8Array) {
        return release(new Uint8Array(value), buffers)
      }
      if (value.byteLength === value.buffer.byteLength) buffers.add(value.buffer)
    }
    return value
  }
  if (typeof value !== 'object' || value === null || value instanceof Map || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, release(part, buffers)]))
}

const { blocks, niceness } = workerData as { readonly blocks: BlockCacheHandle | null; readonly niceness: number }
if (blocks) setSharedBlockCache(blocks)

const max_niceness = 19

// Where there are fewer cores than work, these threads yield to the one that answers requests; Linux alone has priorities
// of threads. Only now: beside busy threads of the same priority, loading the modules takes seconds, and a job waits.
if (process.platform === 'linux') {
  try {
    setPriority(0, Math.min(max_niceness, getPriority(0) + niceness))
  } catch {
    // If the priority may not be changed, the thread continues with that of the process.
  }
}

/** Does one task; piscina calls it. Failures of rasters are answers, faults of ours are thrown. */
export default async function work(task: WorkerTask): Promise<WorkerResult> {
  const signal = watch(task.cancelled)
  const ask = task.port && readThrough(task.port)
  const rasters = task.rasters.map((descriptor) =>
    openDescribedRaster(descriptor, ask?.read ?? null, sharingJobs.has(task.job)),
  )
  try {
    const job = rasterJobFunctions[task.job] as (rasters: readonly Raster[], request: unknown) => Promise<unknown>
    return transferBuffers(await job(rasters, { ...(task.request as object), signal }))
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    return { failure: { kind: error.kind, message: error.message } }
  } finally {
    ask?.end()
  }
}

/**
 * A signal that looks at the number the caller sets. Synchronous work never lets a message in, so a true signal would stay
 * silent; inside the package signals are only asked, never listened to.
 */
function watch(cancelled: Int32Array<SharedArrayBuffer>): AbortSignal {
  const signal = {
    get aborted() {
      return Atomics.load(cancelled, 0) !== 0
    },
    reason: undefined,
  }
  return signal as unknown as AbortSignal
}

/** Jobs that read the same blocks many times, and share them even of a file that nobody else has opened. */
const sharingJobs: ReadonlySet<RasterJobName> = new Set(['areas'])

/**
 * Reads bytes through a port. Reads that are pending when the job or the port ends get none: another job may be waiting
 * for a read of this one, and then reads for itself.
 */
function readThrough(port: MessagePort): { readonly read: ReadTaskSource; readonly end: () => void } {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
  let last = 0
  let isOver = false
  const end = (): void => {
    isOver = true
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
    port.close()
  }
  port.on('message', ({ id, bytes }: SourceReadResponse) => {
    waiting.get(id)?.(bytes)
    waiting.delete(id)
  })
  port.on('close', end)
  const read: ReadTaskSource = async (source, offset, length) => {
    const request: SourceReadRequest = { id: ++last, source, offset, length }
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      if (isOver) return resolve(null)
      waiting.set(request.id, resolve)
      port.postMessage(request)
    })
    if (!bytes) throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + length - 1}`)
    return bytes
  }
  return { read, end }
}
