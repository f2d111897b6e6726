import { readProblem } from '../problem.ts'
import { RemoteChangedError, TransferError } from './errors.ts'
import { parseContentRange, type FileRange } from './ranges.ts'

/** A file of the platform, as a signed URL serves it. */
export interface RemoteFile {
  /** Null if the platform does not tell it; the response does then. */
  readonly size_bytes: number | null
  /** In hexadecimal; null: the bytes are not verified. */
  readonly sha256: string | null
  /**
   * Asks the platform for a signed URL.
   *
   * @param isRefused the last one was refused, because it has expired or was revoked: another one is needed.
   */
  readonly issueUrl: (isRefused: boolean) => Promise<string>
}

/** The version of a file that a response has served. */
export interface RemoteVersion {
  readonly size_bytes: number
  /** A strong validator; null if the server has none. */
  readonly etag: string | null
  /** False if the server sends whole files only. */
  readonly acceptsRanges: boolean
}

/** The response to a request of a range. */
export interface OpenRange {
  readonly version: RemoteVersion
  /** The bytes of the range; fewer, if the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface RemoteReader {
  /** Opens a range; of an empty file, or at its end, a body without bytes. Throws `RemoteChangedError` if the file is another than before. */
  open(range: FileRange): Promise<OpenRange>
}

export interface RemoteReaderOptions {
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** The ETag of the bytes of an earlier, interrupted download. */
  readonly etag: string | null
  /** A response that sends nothing for this time is given up, and the rest requested again. */
  readonly idle_timeout_ms: number
}

/** Signed URLs that expired or were revoked: 410 by this platform, 400, 401 or 403 by object stores. */
const refusals: readonly number[] = [400, 401, 403, 410]

export function createRemoteReader(remote: RemoteFile, options: RemoteReaderOptions): RemoteReader {
  const urls = createUrlSource(remote)
  let { etag } = options
  return {
    open: async (range) => {
      const response = await requestWithUrl(urls, (url) => requestRange(url, range, etag, options))
      const opened = await readResponse(response, range, { remote, etag })
      etag = opened.version.etag
      return opened
    },
  }
}

interface UrlSource {
  current(): Promise<string>
  /** Another URL than the refused one; several ranges that are refused share it. */
  renew(refused: string): Promise<string>
}

function createUrlSource({ issueUrl }: RemoteFile): UrlSource {
  let pending: Promise<string> | null = null
  const issue = (isRefused: boolean): Promise<string> => {
    const issued = issueUrl(isRefused)
    pending = issued
    // A failure is not kept: the next try asks again.
    issued.catch(() => {
      if (pending === issued) pending = null
    })
    return issued
  }
  const current = (): Promise<string> => pending ?? issue(false)
  return {
    current,
    renew: async (refused) => {
      const known = pending
      const url = await current()
      // Another range may have renewed it meanwhile.
      return url !== refused ? url : pending === known || pending === null ? issue(true) : pending
    },
  }
}

async function requestWithUrl(
  urls: UrlSource,
  request: (url: string) => Promise<TimedResponse>,
): Promise<TimedResponse> {
  const url = await urls.current()
  const first = await request(url)
  if (!refusals.includes(first.response.status)) return first
  await first.response.body?.cancel()
  return request(await urls.renew(url))
}

/** A response whose connection is given up when nothing arrives. */
interface TimedResponse {
  readonly response: Response
  readonly body: AsyncIterable<Uint8Array>
}

async function requestRange(
  url: string,
  { start, end }: FileRange,
  etag: string | null,
  { fetch: send, signal, idle_timeout_ms }: RemoteReaderOptions,
): Promise<TimedResponse> {
  const stop = new AbortController()
  const giveUp = (): void => stop.abort(new TypeError(`the server sent nothing for ${idle_timeout_ms / 1000} s`))
  const within = async <Result>(work: Promise<Result>): Promise<Result> => {
    const timer = setTimeout(giveUp, idle_timeout_ms)
    return work.finally(() => clearTimeout(timer))
  }
  const headers = {
    range: `bytes=${start}-${end - 1}`,
    // A coding would change the bytes that ranges count.
    'accept-encoding': 'identity',
    ...(etag === null ? {} : { 'if-range': etag }),
  }
  const response = await within(send(url, { headers, signal: AbortSignal.any([signal, stop.signal]) }))
  return { response, body: readBody(response, within) }
}

async function* readBody(
  response: Response,
  within: <Result>(work: Promise<Result>) => Promise<Result>,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await within(reader.read())
      if (done) return
      yield value
    }
  } finally {
    // Of a body that was read to its end, or broke, nothing is left to cancel.
    await reader.cancel().catch(() => undefined)
  }
}

interface Expected {
  readonly remote: RemoteFile
  /** The version that the other ranges have; null before the first response. */
  readonly etag: string | null
}

async function readResponse(
  { response, body }: TimedResponse,
  range: FileRange,
  { remote, etag }: Expected,
): Promise<OpenRange> {
  const { status, headers } = response
  const told = parseContentRange(headers.get('content-range'))
  const received = readStrongEtag(headers.get('etag'))
  if (status === 412 || (etag !== null && response.ok && received !== etag)) {
    await response.body?.cancel()
    throw new RemoteChangedError()
  }
  if (status === 206) {
    // Without the header, as across origins that do not expose it, the range is the one that was asked for.
    if (told.range !== null && told.range.start !== range.start) throw new TypeError('the server sent another range')
    const size_bytes = requireSize(told.size_bytes ?? remote.size_bytes)
    return { version: { size_bytes, etag: received, acceptsRanges: true }, body: limitBytes(body, range) }
  }
  if (status === 200) {
    const size_bytes = requireSize(readLength(headers) ?? remote.size_bytes)
    const version = { size_bytes, etag: received, acceptsRanges: false }
    return { version, body: limitBytes(skipBytes(body, range.start), range) }
  }
  // Nothing is left of a file that ends where the range begins.
  if (status === 416 && (told.size_bytes ?? remote.size_bytes) === range.start) {
    await response.body?.cancel()
    return {
      version: { size_bytes: range.start, etag: received, acceptsRanges: true },
      body: limitBytes(body, { start: 0, end: 0 }),
    }
  }
  if (status === 416) {
    await response.body?.cancel()
    throw new RemoteChangedError()
  }
  throw await readProblem(response)
}

/** A weak ETag does not say that bytes are equal, and `If-Range` does not take it. */
const readStrongEtag = (etag: string | null): string | null => (etag?.startsWith('"') ? etag : null)

function readLength(headers: Headers): number | null {
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? null : Number(length)
}

function requireSize(size_bytes: number | null): number {
  if (size_bytes !== null) return size_bytes
  throw new TransferError('Neither the platform nor the server tells the size of the file, so it cannot be verified.')
}

/** Leaves out what was received before: a server without ranges begins anew. */
async function* skipBytes(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of body) {
    const skipped = Math.min(piece.length, Math.max(0, count - at))
    at += piece.length
    if (skipped < piece.length) yield piece.subarray(skipped)
  }
}

/** Never more than the range: a server that sends more than was asked for must not fill the memory. */
async function* limitBytes(body: AsyncIterable<Uint8Array>, { start, end }: FileRange): AsyncGenerator<Uint8Array> {
  let left = end - start
  if (left <= 0) return
  for await (const piece of body) {
    yield piece.subarray(0, left)
    left -= piece.length
    if (left <= 0) return
  }
}
