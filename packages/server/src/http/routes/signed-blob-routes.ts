import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CurrentAndAcceptedKeys } from '../../platform/crypto/signatures.ts'
import { ifMatchIncludes, ifNoneMatchIncludes } from '../../engine/entity-tag.ts'
import { Problem, toProblemDocument } from '../../engine/problem.ts'
import { blobPathPrefix, verifyBlobUrl, type SignedUrlParameters } from '../../platform/blobs/signed-urls.ts'
import {
  BlobNotFound,
  BlobSizeMismatch,
  BlobTooLarge,
  isValidMediaType,
  type BlobMetadata,
} from '../../platform/blobs/blobs.ts'
import type { DiskBlobStore } from '../../platform/blobs/disk.ts'
import { formatContentDisposition } from '../../platform/blobs/content-disposition.ts'
import type { Clock } from '../../platform/clock.ts'
import { matchesIfRange, parseRangeHeader, type ParsedByteRange } from '../byte-range.ts'
import { drainBody } from '../bodies/drain-body.ts'
import { sendStream } from '../send-stream.ts'
import { preflightHeaders, type PreflightPolicy } from '../preflight.ts'

export interface SignedBlobOptions {
  readonly blobs: DiskBlobStore
  readonly keys: CurrentAndAcceptedKeys
  readonly clock: Clock
  /** Maximum size of an object that is uploaded by PUT. */
  readonly upload_limit_bytes: number
  /** Throws a Problem if the resource that the URL was issued for may no longer be downloaded. */
  readonly admit?: (signedUrl: SignedUrlParameters) => Promise<void>
  /** Throws a Problem if the URL accepts no more uploads: called before and after the body of a PUT is read. */
  readonly admitPut?: (signedUrl: SignedUrlParameters, when: 'begin' | 'end') => Promise<void>
  /** Called with the bytes sent of an object; `ended` is true once per GET, also if the client disconnects. */
  readonly onSent?: (signedUrl: SignedUrlParameters, bytes: number, ended: boolean) => void
  /** The base URL of the `type` in problem documents. */
  readonly baseUrlOf: (request: FastifyRequest) => string
}

/** Other origins may read and write at a signed URL; the sandbox keeps a response from running as a page of this origin. */
const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
}

const preflight: PreflightPolicy = {
  methods: 'GET, HEAD, PUT',
  headers: 'Content-Type, If-None-Match, If-Range, Range',
}

/**
 * Serves and stores objects of the disk blob store at signed URLs, without a token: GET and HEAD with one range, PUT of a
 * whole object. The signature is verified before the object is accessed.
 */
export function registerSignedBlobRoutes(app: FastifyInstance, options: SignedBlobOptions): void {
  app.register(async (scope) => {
    // The body of a PUT is streamed to disk, whatever its type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.setErrorHandler((error, request, reply) => {
      drainBody(request.raw)
      return sendBlobProblem(options, request, reply, error)
    })
    const url = `${blobPathPrefix}*`
    scope.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => sendBlob(options, request, reply) })
    scope.put(url, (request, reply) => receiveBlob(options, request, reply))
    scope.options(url, (request, reply) =>
      reply
        .code(204)
        .headers({ ...commonHeaders, ...preflightHeaders(request, preflight) })
        .send(),
    )
  })
}

function verifySignedRequest({ keys, clock }: SignedBlobOptions, request: FastifyRequest): SignedUrlParameters {
  const verdict = verifyBlobUrl(keys, request.method, request.raw.url ?? '', clock.now())
  if (verdict.state === 'expired') throw new Problem('gone-expired', 'The signed URL has expired. Request a new one.')
  if (verdict.state === 'refused') throw new Problem('forbidden', 'The URL has no valid signature.')
  return verdict.terms
}

function sendBlobProblem(
  options: SignedBlobOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem = toProblem(error)
  if (!problem) throw error
  return reply
    .code(problem.status)
    .headers({ ...commonHeaders, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(JSON.stringify(toProblemDocument(problem, options.baseUrlOf(request), request.id)))
}

function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof BlobNotFound) return new Problem('not-found', 'There is no object at this URL.')
  if (error instanceof BlobSizeMismatch) return new Problem('malformed', `${capitalize(error.message)}.`)
  if (error instanceof BlobTooLarge) return new Problem('too-large', `${capitalize(error.message)}.`)
  return null
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function blobHeaders(signedUrl: SignedUrlParameters, metadata: BlobMetadata, now: Date): Record<string, string> {
  const age_s = Math.max(0, Math.floor((signedUrl.expires_at.getTime() - now.getTime()) / 1000))
  return {
    ...commonHeaders,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${age_s}`,
    'content-disposition': formatContentDisposition(signedUrl.file_name),
    'content-type': isValidMediaType(signedUrl.media_type) ? signedUrl.media_type : metadata.media_type,
    etag: `"${metadata.etag}"`,
  }
}

async function sendBlob(
  options: SignedBlobOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const signedUrl = verifySignedRequest(options, request)
  await options.admit?.(signedUrl)
  const metadata = await options.blobs.head(signedUrl.path)
  if (!metadata) throw new BlobNotFound(signedUrl.path)
  const headers = blobHeaders(signedUrl, metadata, options.clock.now())
  requireMatchingTag(request, headers['etag']!)
  if (ifNoneMatchIncludes(request.headers['if-none-match'], `"${metadata.etag}"`))
    return reply.code(304).headers(headers).send()

  const acceptsRange = request.method === 'GET' && matchesIfRange(getSingleHeader(request, 'if-range'), metadata.etag)
  const range = parseRangeHeader(acceptsRange ? request.headers.range : undefined, metadata.size)
  if (range.state === 'unsatisfiable') return sendRangeNotSatisfiable(request, reply, headers, metadata.size)
  const { status, length, more } = rangeResponse(range, metadata.size)
  const responseHeaders = { ...headers, ...more, 'content-length': String(length) }
  if (request.method === 'HEAD') return reply.code(status).headers(responseHeaders).send()

  const stream = await options.blobs.stream(signedUrl.path, range.state === 'part' ? range : undefined)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
  reply.raw.writeHead(status, responseHeaders)
  await sendStream(stream, reply.raw, (bytes, ended) => options.onSent?.(signedUrl, bytes, ended))
  return reply
}

/** Throws `precondition-failed` unless the object is one that `If-Match` names: ranges of two versions are never joined. */
function requireMatchingTag(request: FastifyRequest, etag: string): void {
  const ifMatch = getSingleHeader(request, 'if-match')
  if (ifMatch === undefined || ifMatchIncludes(ifMatch, etag)) return
  throw new Problem('precondition-failed', 'The file has changed since its entity tag was read.', { etag })
}

const getSingleHeader = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function rangeResponse(
  range: ParsedByteRange,
  size: number,
): { status: number; length: number; more: Record<string, string> } {
  if (range.state !== 'part') return { status: 200, length: size, more: {} }
  const { start, end } = range
  return { status: 206, length: end - start + 1, more: { 'content-range': `bytes ${start}-${end}/${size}` } }
}

/** 416 has no problem type of its own, so its type is `about:blank` (RFC 9457, 4.2.1). */
function sendRangeNotSatisfiable(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string>,
  size: number,
): FastifyReply {
  const body = { type: 'about:blank', title: 'Range Not Satisfiable', status: 416, trace_id: request.id }
  const { 'content-disposition': _, ...rest } = headers
  return reply
    .code(416)
    .headers({ ...rest, 'content-range': `bytes */${size}`, 'content-type': 'application/problem+json' })
    .send(JSON.stringify(body))
}

async function receiveBlob(
  options: SignedBlobOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const signedUrl = verifySignedRequest(options, request)
  const { media_type, size, within } = signedUrl
  const limit_bytes = Math.min(options.upload_limit_bytes, within?.bytes ?? Number.POSITIVE_INFINITY)
  if (Number(request.headers['content-length'] ?? 0) > limit_bytes) throw new BlobTooLarge(limit_bytes)
  if ((request.headers['content-type'] ?? media_type) !== media_type) {
    throw new Problem('forbidden', `The URL was signed for the media type "${media_type}".`)
  }
  await options.admitPut?.(signedUrl, 'begin')
  // Otherwise leaving the loop early would destroy the request but keep its socket, which is then never read again.
  const chunks = request.raw.iterator({ destroyOnReturn: false })
  const metadata = await options.blobs.receive(signedUrl.path, chunks, {
    media_type,
    max_bytes: limit_bytes,
    size,
    within,
  })
  await recheckAuthorization(options, signedUrl)
  return reply
    .code(200)
    .headers({ ...commonHeaders, 'cache-control': 'no-store', etag: `"${metadata.etag}"` })
    .send()
}

/** Deletes an object that arrived after the URL stopped accepting uploads. */
async function recheckAuthorization(
  { admitPut, blobs }: SignedBlobOptions,
  signedUrl: SignedUrlParameters,
): Promise<void> {
  try {
    await admitPut?.(signedUrl, 'end')
  } catch (error) {
    await blobs.delete(signedUrl.path)
    throw error
  }
}
