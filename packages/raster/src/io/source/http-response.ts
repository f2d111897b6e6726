import { RasterFailure } from '../../failures.ts'

/** The part of a `fetch` response that is used. */
export interface HttpFetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | Uint8Array | null
}

/** Bytes of a file as an answer brings them: where they begin, and how long the whole file is, if it says so. */
export interface HttpFilePart {
  readonly bytes: Uint8Array
  readonly whole: boolean
  readonly size: number | undefined
}

/** The state of a file as its server names it. */
export interface HttpFileVersion {
  readonly size: number | undefined
  readonly etag: string | undefined
  readonly modified: string | undefined
}

export interface HttpRangeRequest {
  readonly offset: number
  readonly length: number
  /** The maximum size of a file that is sent whole instead. */
  readonly whole_limit_bytes: number
  /** Checks the state of the file in the response headers before any byte of the body is read. */
  readonly check: (state: HttpFileVersion) => void
}

/** Encodings that `fetch` undoes unasked. */
const contentEncodings = /gzip|deflate|compress|br|zstd/i

/**
 * Reads the bytes of a response to a request for a range. 206 must have exactly the requested range, or all of it that
 * lies in the file; 200 the whole file; 416 means that the file ends before. Anything else is a `source` failure, and
 * no more bytes are read than were requested.
 */
export async function readHttpFilePart(answer: HttpFetchResponse, request: HttpRangeRequest): Promise<HttpFilePart> {
  try {
    if (contentEncodings.test(answer.headers.get('content-encoding') ?? '')) {
      throw new RasterFailure(
        'source',
        'the server of the file sends it compressed, so that its bytes cannot be counted',
      )
    }
    if (answer.status === 206) return await readRangePart(answer, request)
    if (answer.status === 200) return await readWhole(answer, request)
    if (answer.status === 416) return readEnd(answer, request)
    const cause = { status: answer.status }
    throw new RasterFailure('source', `the server of the file answered with status ${answer.status}`, { cause })
  } finally {
    await discard(answer.body)
  }
}

async function readRangePart(
  answer: HttpFetchResponse,
  { offset, length, check }: HttpRangeRequest,
): Promise<HttpFilePart> {
  const text = answer.headers.get('content-range') ?? 'nothing'
  const match = /^bytes (\d{1,16})-(\d{1,16})\/(?:(\d{1,16})|\*)$/.exec(text.trim())
  const [first, last] = [Number(match?.[1]), Number(match?.[2])]
  const size = match?.[3] === undefined ? undefined : Number(match[3])
  const end = Math.min(offset + length, size ?? Infinity)
  if (!match || first !== offset || last !== end - 1 || end <= offset) {
    const asked = `bytes ${offset}-${offset + length - 1}`
    throw new RasterFailure('source', `the server of the file was asked for ${asked} and answered ${text.slice(0, 80)}`)
  }
  check(stateOf(answer, size))
  return { bytes: await readBody(answer.body, end - offset, end - offset), whole: false, size }
}

async function readWhole(
  answer: HttpFetchResponse,
  { whole_limit_bytes, check }: HttpRangeRequest,
): Promise<HttpFilePart> {
  const claimed = answer.headers.get('content-length')
  const size = claimed === null || !/^\d{1,16}$/.test(claimed) ? undefined : Number(claimed)
  check(stateOf(answer, size))
  if ((size ?? 0) > whole_limit_bytes) {
    const says = `the server of the file sends no ranges, and the file is larger than ${whole_limit_bytes} bytes`
    throw new RasterFailure('source', says)
  }
  const bytes = await readBody(answer.body, size ?? 0, size ?? whole_limit_bytes)
  check(stateOf(answer, bytes.byteLength))
  return { bytes, whole: true, size: bytes.byteLength }
}

function readEnd(answer: HttpFetchResponse, { offset, check }: HttpRangeRequest): HttpFilePart {
  const match = /^bytes \*\/(\d{1,16})$/.exec(answer.headers.get('content-range')?.trim() ?? '')
  const size = match ? Number(match[1]) : undefined
  if (size !== undefined && size > offset) {
    throw new RasterFailure('source', `the server of the file refuses byte ${offset} of ${size}`)
  }
  check(stateOf(answer, size))
  return { bytes: new Uint8Array(0), whole: false, size }
}

function stateOf({ headers }: HttpFetchResponse, size: number | undefined): HttpFileVersion {
  return { size, etag: headers.get('etag') ?? undefined, modified: headers.get('last-modified') ?? undefined }
}

/** The bytes of a body: at least `least` and at most `most`, or a `source` failure. */
async function readBody(body: HttpFetchResponse['body'], least: number, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body instanceof Uint8Array ? [body] : (body ?? [])) {
    length += piece.byteLength
    if (length > most) throw new RasterFailure('source', `the server of the file sends more than ${most} bytes`)
    pieces.push(piece)
  }
  if (length < least) throw new RasterFailure('source', `the server of the file sent ${length} bytes of ${least}`)
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length)
}

/** Ends a body that nobody reads, so that its connection is free. */
async function discard(body: HttpFetchResponse['body']): Promise<void> {
  if (body === null || body instanceof Uint8Array) return
  try {
    await body[Symbol.asyncIterator]().return?.()
  } catch {
    // It was read already, or broke: either way it is over.
  }
}
