import { RasterFailure, checkCancelled } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'
import { createHeaderCachingSource } from './cached-header.ts'
import { readHttpFilePart } from './http-response.ts'
import type { HttpFileVersion, HttpFetchResponse, HttpFilePart } from './http-response.ts'
import { checkByteRange } from './range.ts'

export interface HttpFetchOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Maximum bytes to read; the caller may stop earlier. */
  readonly limit_bytes: number
}

/** The injected HTTP client, a function like `fetch`. It handles redirects, timeouts and retries. */
export type HttpFetch = (url: string, request: HttpFetchOptions) => Promise<HttpFetchResponse>

export interface HttpSourceOptions {
  /** Default: the URL. */
  readonly id?: string
  /** Bytes at the start of the file that are fetched at once and cached. Default 32 KiB. */
  readonly first_read_bytes?: number
  /** Maximum size of a file whose server does not support ranges; it is held in memory. Default 1 MiB. */
  readonly whole_limit_bytes?: number
  /** Maximum bytes per read; more is a `budget` failure. Default 64 MiB. */
  readonly read_limit_bytes?: number
}

/**
 * A file read over HTTP by range requests. Nothing is requested before the first read, which sets `size` and `etag`. If a
 * later response has another ETag, reading fails with `source`. Failures: `source` (its cause holds the `status` of a
 * response), `budget`, `damaged` (an impossible range) and `cancelled`; there are no retries.
 */
export function createHttpSource(
  url: string,
  fetchRange: HttpFetch,
  options: HttpSourceOptions = {},
): RasterByteSource {
  const { id = url, first_read_bytes = 32_768, whole_limit_bytes = 1_048_576, read_limit_bytes = 67_108_864 } = options
  let state: HttpFileVersion | null = null
  let whole: Uint8Array | null = null

  const check = (seen: HttpFileVersion): void => {
    if (state && isOther(state, seen)) throw new RasterFailure('source', 'the file changed while it was read')
    state = { ...seen, ...defined(state) }
  }

  const fetchPart = async (offset: number, length: number, signal?: AbortSignal): Promise<HttpFilePart> => {
    const limit_bytes = Math.max(length, whole_limit_bytes)
    try {
      const answer = await fetchRange(url, { headers: headersOf(offset, length, state), signal, limit_bytes })
      return await readHttpFilePart(answer, { offset, length, whole_limit_bytes, check })
    } catch (cause) {
      checkCancelled(signal)
      if (cause instanceof RasterFailure) throw cause
      throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + length - 1}`, { cause })
    }
  }

  const source: RasterByteSource = {
    id,
    get size() {
      return state?.size
    },
    get etag() {
      return state?.etag
    },
    async read(offset, length, signal) {
      checkCancelled(signal)
      checkByteRange(offset, length)
      const end = Math.min(offset + length, state?.size ?? Infinity)
      if (end <= offset) return new Uint8Array(0)
      if (whole) return whole.subarray(offset, end)
      if (end - offset > read_limit_bytes) {
        throw new RasterFailure('budget', `a read of ${end - offset} bytes; ${read_limit_bytes} are allowed`)
      }
      const part = await fetchPart(offset, end - offset, signal)
      if (part.whole) whole = part.bytes
      const bytes = part.whole ? part.bytes.subarray(offset, end) : part.bytes
      if (offset + bytes.byteLength < Math.min(end, state?.size ?? 0)) {
        throw new RasterFailure('source', `the server of the file has no byte ${offset + bytes.byteLength}`)
      }
      return bytes
    },
    close: async () => {},
  }
  return createHeaderCachingSource(source, first_read_bytes)
}

function headersOf(offset: number, length: number, state: HttpFileVersion | null): Record<string, string> {
  // A weak ETag says nothing about bytes: servers are right to ignore it here.
  const validator = state?.etag?.startsWith('W/') ? undefined : (state?.etag ?? state?.modified)
  return {
    range: `bytes=${offset}-${offset + length - 1}`,
    'accept-encoding': 'identity',
    ...(validator === undefined ? {} : { 'if-range': validator }),
  }
}

/** True where two answers contradict each other; what one of them does not say is no contradiction. */
function isOther(known: HttpFileVersion, seen: HttpFileVersion): boolean {
  const differ = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && one !== other
  const strong = (etag: string | undefined): string | undefined => etag?.replace(/^W\//, '')
  if (differ(known.size, seen.size) || differ(strong(known.etag), strong(seen.etag))) return true
  return known.etag === undefined && differ(known.modified, seen.modified)
}

const defined = (state: HttpFileVersion | null): Partial<HttpFileVersion> =>
  Object.fromEntries(Object.entries(state ?? {}).filter(([, value]) => value !== undefined))
