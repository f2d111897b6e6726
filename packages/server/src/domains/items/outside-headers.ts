import {
  countingSource,
  createHeaderCache,
  httpSource,
  openRaster,
  RasterFailure,
  type Ask,
  type Raster,
} from '@swath/raster'
import type { SafeFetch } from '../../platform/outside/outside.ts'
import { readLimits } from './read-limits.ts'

/** Timeout of one request. */
const timeout_ms = 5000
/** Limits of all requests to open a file. A header scattered over the file is not worth waiting for. */
const { reads: open_reads, ms: open_ms } = readLimits.opening
/** A header is used for this long before it is revalidated. */
const fresh_ms = 60_000
const limit_headers = 1000

/** A cache of opened headers of remote files, revalidated periodically. */
export interface OutsideHeaders {
  /** The raster at a URL, opened if it is not cached or has changed. Its decoded blocks are cached with it. */
  get(url: string, now_ms: number, signal: AbortSignal): Promise<Raster>
  /** Evicts a file that has changed or cannot be fetched. */
  forget(url: string): void
}

/** The version of a cached header, increased on each open, and the time of its last revalidation. */
interface Watch {
  readonly opening: number
  checked_ms: number
}

let openings = 0

export function createOutsideHeaders(get: SafeFetch): OutsideHeaders {
  const kept = createHeaderCache({ entries: limit_headers })
  const watched = new Map<string, Watch>()
  const open = (url: string) => (signal: AbortSignal) => openWithin(url, asking(get), signal)
  const nameOf = (url: string, watch: Watch) => ({ id: url, etag: String(watch.opening) })

  const watch = (url: string, now_ms: number): Watch => {
    const known = watched.get(url) ?? { opening: ++openings, checked_ms: now_ms }
    watched.delete(url)
    watched.set(url, known)
    const [oldest] = watched.keys()
    if (watched.size > limit_headers) watched.delete(oldest!)
    return known
  }

  const forget = (url: string): void => {
    const known = watched.get(url)
    if (known) kept.forget(nameOf(url, known))
    watched.delete(url)
  }

  return {
    forget,
    get: async (url, now_ms, signal) => {
      const known = watch(url, now_ms)
      const raster = await kept.get(nameOf(url, known), open(url), signal)
      if (now_ms - known.checked_ms < fresh_ms) return raster
      // Only one concurrent caller revalidates; the others use the cached header.
      known.checked_ms = now_ms
      if (await isSame(get, url, raster, signal)) return raster
      forget(url)
      return kept.get(nameOf(url, watch(url, now_ms)), open(url), signal)
    },
  }
}

async function openWithin(url: string, ask: Ask, signal: AbortSignal): Promise<Raster> {
  const limit = AbortSignal.timeout(open_ms)
  const source = httpSource(url, ask)
  try {
    const counted = countingSource(source, { reads: open_reads })
    // Later reads are counted by the budget of each call.
    return { ...(await openRaster(counted, { signal: AbortSignal.any([signal, limit]) })), source }
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error
    throw new RasterFailure('source', `the file could not be opened within ${open_ms / 1000} seconds`)
  }
}

function asking(get: SafeFetch): Ask {
  return async (url, { headers, signal, limit_bytes }) => {
    const answer = await get(url, { headers, timeout_ms, limit_bytes, signal })
    return { status: answer.status, headers: new Headers(answer.headers), body: answer.body }
  }
}

/** True if ETag and size are unchanged. A file without an ETag may have changed. */
async function isSame(get: SafeFetch, url: string, { source }: Raster, signal: AbortSignal): Promise<boolean> {
  if (source.etag === undefined) return false
  try {
    const { status, headers } = await get(url, {
      headers: { range: 'bytes=0-0' },
      limit_bytes: 1024,
      timeout_ms,
      signal,
    })
    const size = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
    return status === 206 && headers['etag'] === source.etag && Number(size) === source.size
  } catch {
    // Opening it again reports the error.
    return false
  }
}
