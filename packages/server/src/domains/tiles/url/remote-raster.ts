import { rasterHeadersServiceKey } from '../raster-headers.ts'
import { RasterFailure, type Raster } from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { SafeFetchFailure, type SafeFetchFailureKind } from '../../../platform/integrations/integrations.ts'
import { withRasterReadBudget, type RasterReadBudget } from '../../items/search/read-limits.ts'

/** Failures because the URL is not allowed, not because the host fails. */
const blockedKinds: ReadonlySet<SafeFetchFailureKind> = new Set(['address', 'scheme', 'port', 'redirect'])

/** The part of a call that remote reads need. */
export type RemoteReadContext = Pick<Call, 'integrations' | 'processServices' | 'clocks' | 'signal'>

/** The public https URL of an s3 object; other URLs unchanged. */
export function s3ToHttpsUrl(href: string): string {
  const url = new URL(href)
  return url.protocol === 's3:' ? `https://${url.hostname}.s3.amazonaws.com${url.pathname}` : url.href
}

/**
 * Opens a raster on a remote server, read by range requests through the guarded fetcher. Its header and blocks are cached;
 * after a minute they are revalidated by ETag and size. Reading a file that was replaced in between fails with `upstream`,
 * and the next caller opens it again.
 *
 * @param budget read budget of this call.
 */
export async function openRemoteRaster(
  call: RemoteReadContext,
  url: string,
  budget: RasterReadBudget,
): Promise<Raster> {
  const headerCache = call.processServices.get(rasterHeadersServiceKey).remote(call.integrations.fetch)
  const raster = await withUpstreamProblems(() =>
    headerCache.open(url, call.clocks.process.now().getTime(), call.signal),
  )
  const { source } = raster
  const read: typeof source.read = (...range) =>
    withUpstreamProblems(() => source.read(...range)).catch((error: unknown) => {
      // Not on an abort or an exhausted budget.
      if (error instanceof Problem) headerCache.forget(url)
      throw error
    })
  return withRasterReadBudget({ ...raster, source: { ...source, size: source.size, etag: source.etag, read } }, budget)
}

/** A tag that changes with the bytes of a remote file; null without a strong ETag. */
export function computeRemoteContentTag({ source: { id, etag, size } }: Raster): string | null {
  return etag === undefined || etag.startsWith('W/') ? null : `${id} ${etag} ${size ?? ''}`
}

/** The problem of a URL that cannot be fetched: it is not allowed, or its server fails. */
export const toFetchProblem = ({ kind, message }: SafeFetchFailure): Problem =>
  new Problem(blockedKinds.has(kind) ? 'forbidden' : 'upstream', message)

/** Converts errors of a remote server to problems, because they are not internal errors. */
async function withUpstreamProblems<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof RasterFailure) || error.kind !== 'source') throw error
    const { cause } = error
    if (cause instanceof SafeFetchFailure) throw toFetchProblem(cause)
    throw new Problem('upstream', `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`)
  }
}
