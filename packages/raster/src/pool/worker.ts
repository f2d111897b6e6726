import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'piscina'
import type { BlockCacheHandle } from '../io/cache/block-cache.ts'
import { useSharedBlockCache } from '../io/cache/per-thread.ts'
import { RasterFailure } from '../failures.ts'
import { localSource } from '../io/source/local-file.ts'
import type { Raster, Source } from '../types.ts'
import { handOver } from './transfer-buffers.ts'
import { jobs } from './jobs.ts'
import type { RasterJobName } from './jobs.ts'
import type { Answer, Delivery, Order, RasterFacts, SourceFacts, Wish } from './worker-task.ts'

const { blocks } = workerData as { readonly blocks: BlockCacheHandle | null }
if (blocks) useSharedBlockCache(blocks)

/** Does one order; piscina calls it. Failures of rasters are answers, faults of ours are thrown. */
export default async function work(order: Order): Promise<Answer> {
  const signal = watch(order.cancelled)
  const ask = order.port && askThrough(order.port)
  const rasters = order.rasters.map((facts) => adopt(facts, ask?.read ?? null, SHARING.has(order.job)))
  try {
    const job = jobs[order.job] as (rasters: readonly Raster[], request: unknown) => Promise<unknown>
    return handOver(await job(rasters, { ...(order.request as object), signal }))
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

function adopt(facts: RasterFacts, ask: Ask | null, isSharing: boolean): Raster {
  const { sides, ...own } = recall(facts)
  const known = isSharing ? { ...own, fileId: own.fileId ?? own.file } : own
  const opened = Object.entries(sides).map(([name, side]) => [name, openSource(side, ask)])
  return { ...known, ...Object.fromEntries(opened), source: openSource(facts.source, ask) }
}

function openSource({ number, id, size, etag, path }: SourceFacts, ask: Ask | null): Source {
  if (path !== undefined) return localSource(path, id, size, etag)
  return { id, size, etag, read: (offset, length) => ask!(number, offset, length), close: async () => {} }
}

const MOST_REMEMBERED = 256
const remembered = new Map<number, RasterFacts>()

/**
 * What is worked out for a file hangs on its levels, its grid and its reference system: the same objects are used for it
 * again. Everything else may be said anew.
 */
function recall(facts: RasterFacts): RasterFacts {
  const known = remembered.get(facts.file) ?? facts
  remembered.delete(facts.file)
  remembered.set(facts.file, known)
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest!)
  const { levels, affine, crs } = known
  const sameGrid = affine.every((number, index) => number === facts.affine[index])
  const sameCrs = crs.proj4 === facts.crs.proj4 && crs.epsg === facts.crs.epsg
  return { ...facts, levels, affine: sameGrid ? affine : facts.affine, crs: sameCrs ? crs : facts.crs }
}

/**
 * Asks for bytes through a port. Whoever still waits when the job ends, or the port, gets none: what one job began to read
 * others may be waiting for, and they read for themselves then.
 */
function askThrough(port: MessagePort): { readonly read: Ask; readonly end: () => void } {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
  let last = 0
  let isOver = false
  const end = (): void => {
    isOver = true
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
    port.close()
  }
  port.on('message', ({ id, bytes }: Delivery) => {
    waiting.get(id)?.(bytes)
    waiting.delete(id)
  })
  port.on('close', end)
  const read: Ask = async (source, offset, length) => {
    const wish: Wish = { id: ++last, source, offset, length }
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      if (isOver) return resolve(null)
      waiting.set(wish.id, resolve)
      port.postMessage(wish)
    })
    if (!bytes) throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + length - 1}`)
    return bytes
  }
  return { read, end }
}
