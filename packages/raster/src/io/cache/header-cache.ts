import { LRUCache } from 'lru-cache'
import { checkCancelled, rejectOnAbort } from '../../failures.ts'
import type { RasterLevel, Raster } from '../../types.ts'

/** Identifies the content of a raster: source id and ETag. */
export interface RasterSourceKey {
  readonly id: string
  readonly etag?: string | undefined
}

export interface HeaderCache {
  readonly entries: number
  readonly bytes: number
  /**
   * The cached raster, or the one that `open` returns, with its `fileId`. Concurrent callers share one `open`: each can abort
   * on its own (`cancelled`), and the signal of `open` aborts when all have. Failures are not cached.
   */
  get(name: RasterSourceKey, open: (signal: AbortSignal) => Promise<Raster>, signal?: AbortSignal): Promise<Raster>
  /** Removes a raster whose file has changed. */
  delete(name: RasterSourceKey): void
}

interface Opening {
  readonly answer: Promise<Raster>
  readonly controller: AbortController
  waiting: number
}

let lastFile = 0

/**
 * Returns a number for a file in the block cache, never the same twice. Only one thread assigns numbers: where blocks
 * are shared, the one that distributes the work.
 */
export const assignCacheFileNumber = (): number => ++lastFile

/**
 * Caches opened rasters. Evicted ones are not closed, because they may still be in use: sources that hold a file descriptor
 * must not be cached here (`createOnDemandFileSource` holds none).
 */
export function createRasterHeaderCache({ entries = 10_000, bytes = 268_435_456 } = {}): HeaderCache {
  const kept = new LRUCache<string, Raster>({ max: entries, maxSize: bytes })
  const openings = new Map<string, Opening>()

  const start = (key: string, open: (signal: AbortSignal) => Promise<Raster>): Opening => {
    const controller = new AbortController()
    const run = async (): Promise<Raster> => {
      try {
        const raster = { ...(await open(controller.signal)), fileId: assignCacheFileNumber() }
        if (openings.get(key) === opening) kept.set(key, raster, { size: bytesOfRaster(raster) + 2 * key.length })
        return raster
      } finally {
        if (openings.get(key) === opening) openings.delete(key)
      }
    }
    // The first step waits, so that `opening` is there when `open` fails at once.
    const opening: Opening = { answer: Promise.resolve().then(run), controller, waiting: 0 }
    openings.set(key, opening)
    return opening
  }

  const drop = (key: string, opening: Opening): void => {
    if (--opening.waiting > 0) return
    if (openings.get(key) === opening) openings.delete(key)
    opening.controller.abort()
  }

  return {
    get entries() {
      return kept.size
    },
    get bytes() {
      return kept.calculatedSize
    },
    async get(name, open, signal) {
      checkCancelled(signal)
      const key = keyOf(name)
      const known = kept.get(key)
      if (known) return known
      const opening = openings.get(key) ?? start(key, open)
      opening.waiting++
      return rejectOnAbort(opening.answer, signal, () => drop(key, opening))
    },
    delete(name) {
      kept.delete(keyOf(name))
      openings.delete(keyOf(name))
    },
  }
}

const keyOf = ({ id, etag }: RasterSourceKey): string => `${id}\n${etag ?? ''}`

/** Approximate bytes of a raster of plain values: its own fields, names and metadata. */
const raster_bytes = 8192
/** The most bytes of its beginning that a source that is not a local file may hold. */
const head_bytes = 65_536

/** An estimate of the memory that an opened raster takes, its block tables (16 bytes a block, read later) included. */
function bytesOfRaster({ levels, metadata, palette, geoTags, bands, source }: Raster): number {
  const { keyDirectory, doubles, ascii } = geoTags
  const numbers = (keyDirectory?.length ?? 0) + (doubles?.length ?? 0) + 16 * bands.length
  const characters = Object.entries(metadata).reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  return (
    raster_bytes +
    levels.reduce((sum, level) => sum + bytesOfLevel(level), 0) +
    2 * (characters + (ascii?.length ?? 0)) +
    8 * numbers +
    (palette?.byteLength ?? 0) +
    (source.path === undefined ? head_bytes : 0)
  )
}

function bytesOfLevel({ mask, storage }: RasterLevel): number {
  return 1024 + 16 * storage.offsets.count + (storage.jpegTables?.byteLength ?? 0) + (mask ? bytesOfLevel(mask) : 0)
}
