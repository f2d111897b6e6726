import { RasterFailure, type Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { OutsideFailure, type OutsideFailureKind, type SafeFetch } from '../../platform/outside/outside.ts'
import { withBudget, type ReadBudget } from './read-limits.ts'
import { createOutsideHeaders, type OutsideHeaders } from './outside-headers.ts'

/** Failures because the URL is not allowed, not because the host fails. */
const forbidden: ReadonlySet<OutsideFailureKind> = new Set(['address', 'scheme', 'port', 'redirect'])

/** The part of a call that remote reads need. */
export type OutsideReader = Pick<Call, 'outside' | 'clocks' | 'signal'>

/** The public https URL of an s3 object; other URLs unchanged. */
export function fetchableAddress(href: string): string {
  const url = new URL(href)
  return url.protocol === 's3:' ? `https://${url.hostname}.s3.amazonaws.com${url.pathname}` : url.href
}

/** Caches of opened headers, by fetcher. Shared by all callers, because requests carry no credentials. */
const headers = new WeakMap<SafeFetch, OutsideHeaders>()

/**
 * Opens a raster on a remote server, read by range requests through the guarded fetcher. Its header and blocks are cached;
 * after a minute they are revalidated by ETag and size. Reading a file that was replaced in between fails with `upstream`,
 * and the next caller opens it again.
 *
 * @param budget read budget of this call.
 */
export async function outsideRaster(call: OutsideReader, url: string, budget: ReadBudget): Promise<Raster> {
  const { fetch } = call.outside
  const kept = headers.get(fetch) ?? createOutsideHeaders(fetch)
  headers.set(fetch, kept)
  const raster = await upstream(() => kept.get(url, call.clocks.process.now().getTime(), call.signal))
  const { source } = raster
  const read: typeof source.read = (...range) =>
    upstream(() => source.read(...range)).catch((error: unknown) => {
      // Not on an abort or an exhausted budget.
      if (error instanceof Problem) kept.forget(url)
      throw error
    })
  return withBudget({ ...raster, source: { ...source, size: source.size, etag: source.etag, read } }, budget)
}

/** A tag that changes with the bytes of a remote file; null without a strong ETag. */
export function stateOf({ source: { id, etag, size } }: Raster): string | null {
  return etag === undefined || etag.startsWith('W/') ? null : `${id} ${etag} ${size ?? ''}`
}

/** Converts errors of a remote server to problems, because they are not internal errors. */
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
