import { RasterFailure, type Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { OutsideFailure, type OutsideFailureKind, type SafeFetch } from '../../platform/outside/outside.ts'
import { withBudget, type ReadBudget } from './read-limits.ts'
import { createOutsideHeaders, type OutsideHeaders } from './outside-headers.ts'

/** Places where we do not go, told apart from hosts that fail. */
const forbidden: ReadonlySet<OutsideFailureKind> = new Set(['address', 'scheme', 'port', 'redirect'])

/** What reading beyond us needs of a call. */
export type OutsideReader = Pick<Call, 'outside' | 'clocks' | 'signal'>

/** An object of S3 by the address that anybody can read it by; other addresses as they are. */
export function fetchableAddress(href: string): string {
  const url = new URL(href)
  return url.protocol === 's3:' ? `https://${url.hostname}.s3.amazonaws.com${url.pathname}` : url.href
}

/** Opened headers by whoever fetches: what an address answers without credentials is the same for every caller. */
const headers = new WeakMap<SafeFetch, OutsideHeaders>()

/**
 * A raster on a server that is not ours, read range by range through the guarded fetcher. Its header and blocks are kept for
 * a while, and after a minute only where the server names the same state of the file (ETag and size). A file that is
 * replaced before ends in `upstream` when it is read, and is opened anew by the next caller.
 *
 * @param budget what this call may ask for.
 */
export async function outsideRaster(call: OutsideReader, url: string, budget: ReadBudget): Promise<Raster> {
  const { fetch } = call.outside
  const kept = headers.get(fetch) ?? createOutsideHeaders(fetch)
  headers.set(fetch, kept)
  const raster = await upstream(() => kept.get(url, call.clocks.process.now().getTime(), call.signal))
  const { source } = raster
  const read: typeof source.read = (...range) =>
    upstream(() => source.read(...range)).catch((error: unknown) => {
      // Not because somebody gave up, or asked for too much.
      if (error instanceof Problem) kept.forget(url)
      throw error
    })
  return withBudget({ ...raster, source: { ...source, size: source.size, etag: source.etag, read } }, budget)
}

/** The state of a file elsewhere in a word that changes with its bytes; null where its server promises no such thing. */
export function stateOf({ source: { id, etag, size } }: Raster): string | null {
  return etag === undefined || etag.startsWith('W/') ? null : `${id} ${etag} ${size ?? ''}`
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
