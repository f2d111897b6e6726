import type { MessagePort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { workerData } from 'piscina'
import type { BlockCacheHandle } from '../io/cache/block-cache.ts'
import { useSharedBlockCache } from '../io/cache/per-thread.ts'
import { RasterFailure } from '../failures.ts'
import { localSource } from '../io/source/local-file.ts'
import type { Raster, Source } from '../types.ts'
import { transferBuffers } from './transfer-buffers.ts'
import { jobs } from './jobs.ts'
import type { RasterJobName } from './jobs.ts'
import type {
  WorkerResult,
  ReadResponse,
  WorkerTask,
  RasterDescriptor,
  SourceDescriptor,
  ReadRequest,
} from './worker-task.ts'

const { blocks } = workerData as { readonly blocks: BlockCacheHandle | null }
if (blocks) useSharedBlockCache(blocks)

/** Does one task; piscina calls it. Failures of rasters are answers, faults of ours are thrown. */
export default async function work(task: WorkerTask): Promise<WorkerResult> {
  const signal = watch(task.cancelled)
  const ask = task.port && readThrough(task.port)
  const rasters = task.rasters.map((descriptor) => adopt(descriptor, ask?.read ?? null, SHARING.has(task.job)))
  try {
    const job = jobs[task.job] as (rasters: readonly Raster[], request: unknown) => Promise<unknown>
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

type Ask = (source: number, offset: number, length: number) => Promise<Uint8Array>

/** Jobs that read the same blocks many times, and share them even of a file that nobody else has opened. */
const SHARING: ReadonlySet<RasterJobName> = new Set(['areas'])

function adopt(descriptor: RasterDescriptor, ask: Ask | null, isSharing: boolean): Raster {
  const { sides, ...own } = reuseKnown(descriptor)
  const known = isSharing ? { ...own, fileId: own.fileId ?? own.file } : own
  const opened = Object.entries(sides).map(([name, side]) => [name, openSource(side, ask)])
  return { ...known, ...Object.fromEntries(opened), source: openSource(descriptor.source, ask) }
}

function openSource({ number, id, size, etag, path }: SourceDescriptor, ask: Ask | null): Source {
  if (path !== undefined) return localSource(path, id, size, etag)
  return { id, size, etag, read: (offset, length) => ask!(number, offset, length), close: async () => {} }
}

const descriptors = new LRUCache<number, RasterDescriptor>({ max: 256 })

/**
 * What is worked out for a file hangs on its levels, its grid and its reference system: the same objects are used for it
 * again. Everything else may be said anew.
 */
function reuseKnown(descriptor: RasterDescriptor): RasterDescriptor {
  const known = descriptors.get(descriptor.file) ?? descriptor
  if (known === descriptor) descriptors.set(descriptor.file, descriptor)
  const { levels, affine, crs } = known
  const sameGrid = affine.every((number, index) => number === descriptor.affine[index])
  const sameCrs = crs.proj4 === descriptor.crs.proj4 && crs.epsg === descriptor.crs.epsg
  return { ...descriptor, levels, affine: sameGrid ? affine : descriptor.affine, crs: sameCrs ? crs : descriptor.crs }
}

/**
 * Asks for bytes through a port. Whoever still waits when the job ends, or the port, gets none: what one job began to read
 * others may be waiting for, and they read for themselves then.
 */
function readThrough(port: MessagePort): { readonly read: Ask; readonly end: () => void } {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
  let last = 0
  let isOver = false
  const end = (): void => {
    isOver = true
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
    port.close()
  }
  port.on('message', ({ id, bytes }: ReadResponse) => {
    waiting.get(id)?.(bytes)
    waiting.delete(id)
  })
  port.on('close', end)
  const read: Ask = async (source, offset, length) => {
    const request: ReadRequest = { id: ++last, source, offset, length }
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
