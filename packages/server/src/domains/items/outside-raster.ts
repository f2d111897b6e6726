import {
  countingSource,
  createHeaderCache,
  httpSource,
  openRaster,
  RasterFailure,
  type Ask,
  type Raster,
} from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { OutsideFailure, type OutsideFailureKind, type SafeFetch } from '../../platform/outside/outside.ts'

const timeout_ms = 5000
/** So long a header is believed without asking whether the file is still the same. */
const fresh_ms = 300_000
const limit_headers = 1000

/** Places where we do not go, told apart from hosts that fail. */
const forbidden: ReadonlySet<OutsideFailureKind> = new Set(['address', 'scheme', 'port', 'redirect'])

/** What reading beyond us needs of a call. */
export type OutsideReader = Pick<Call, 'outside' | 'clock' | 'signal'>

/** An object of S3 by the address that anybody can read it by; other addresses as they are. */
export function fetchableAddress(href: string): string {
  const url = new URL(href)
  return url.protocol === 's3:' ? `https://${url.hostname}.s3.amazonaws.com${url.pathname}` : url.href
}

/** Opened headers by whoever fetches: what an address answers without credentials is the same for every caller. */
const headers = new WeakMap<SafeFetch, ReturnType<typeof createHeaderCache>>()

/**
 * A raster on a server that is not ours, read range by range through the guarded fetcher. A file that is replaced while
 * its header is kept ends in `upstream`, and is opened anew by the next caller.
 *
 * @param limit_reads ranges that this call may ask for.
 */
export async function outsideRaster(call: OutsideReader, url: string, limit_reads: number): Promise<Raster> {
  const { fetch } = call.outside
  const kept = headers.get(fetch) ?? createHeaderCache({ entries: limit_headers })
  headers.set(fetch, kept)
  const name = { id: url, etag: String(Math.floor(call.clock.now().getTime() / fresh_ms)) }
  const open = (signal: AbortSignal): Promise<Raster> => openRaster(httpSource(url, asking(fetch)), { signal })
  const raster = await upstream(() => kept.get(name, open, call.signal))
  const counted = countingSource(raster.source, { reads: limit_reads })
  const read: typeof counted.read = (...range) =>
    upstream(() => counted.read(...range)).catch((error: unknown) => {
      // Not because somebody gave up, or asked for too much.
      if (error instanceof Problem) kept.forget(name)
      throw error
    })
  return { ...raster, source: { ...counted, size: counted.size, etag: counted.etag, read } }
}

function asking(ask: SafeFetch): Ask {
  return async (url, { headers, signal, limit_bytes }) => {
    const answer = await ask(url, { headers, timeout_ms, limit_bytes, signal })
    return { status: answer.status, headers: new Headers(answer.headers), body: answer.body }
  }
}

/** What a server beyond us does wrong is no fault of ours: a problem says so. */
async function upstream<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof RasterFailure) || error.kind !== 'source') throw error
    const { cause } = error
    if (cause instanceof OutsideFailure) {
      throw new Problem(forbidden.has(cause.kind) ? 'forbidden' : 'upstream', cause.message)
    }
    throw new Problem('upstream', `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`)
  }
}
