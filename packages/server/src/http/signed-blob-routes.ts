import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemDocument } from '../engine/problem.ts'
import { blobRoot, verifyAddress, type AddressKeys, type AddressTerms } from '../platform/blobs/addresses.ts'
import { BlobMissing, BlobSizeDiffers, BlobTooLarge, isMediaType, type BlobFacts } from '../platform/blobs/blobs.ts'
import type { DiskBlobs } from '../platform/blobs/disk.ts'
import { attachmentHeader } from '../platform/blobs/disposition.ts'
import type { Clock } from '../platform/clock.ts'
import { allowsPart, matchesTag, readRangeHeader, type RangeVerdict } from './byte-range.ts'
import { discardRest } from './discard-rest.ts'
import { pour } from './pour.ts'
import { preflightHeaders, type Preflight } from './preflight.ts'

export interface SignedBlobOptions {
  readonly blobs: DiskBlobs
  readonly keys: AddressKeys
  readonly clock: Clock
  /** Maximum size of an object that is uploaded by PUT. */
  readonly upload_limit_bytes: number
  /** Throws a Problem if the resource that the URL was issued for may no longer be downloaded. */
  readonly admit?: (terms: AddressTerms) => Promise<void>
  /** Throws a Problem if the URL accepts no more uploads: called before and after the body of a PUT is read. */
  readonly admitPut?: (terms: AddressTerms, when: 'begin' | 'end') => Promise<void>
  /** Called with the bytes sent of an object; `ended` is true once per GET, also if the client disconnects. */
  readonly onSent?: (terms: AddressTerms, bytes: number, ended: boolean) => void
  /** The base URL of the `type` in problem documents. */
  readonly baseOf: (request: FastifyRequest) => string
}

/** Other origins may read and write at a signed URL; the sandbox keeps a response from running as a page of this origin. */
const standing: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const preflight: Preflight = {
  methods: 'GET, HEAD, PUT',
  headers: 'Content-Type, If-None-Match, If-Range, Range',
}

/**
 * Serves and stores objects of the disk blob store at signed URLs, without a token: GET and HEAD with one range, PUT of a
 * whole object. The signature is verified before the object is accessed.
 */
export function signedBlobRoutes(app: FastifyInstance, options: SignedBlobOptions): void {
  app.register(async (scope) => {
    // The body of a PUT is streamed to disk, whatever its type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.setErrorHandler((error, request, reply) => {
      discardRest(request.raw)
      return refuse(options, request, reply, error)
    })
    const url = `${blobRoot}*`
    scope.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => serve(options, request, reply) })
    scope.put(url, (request, reply) => take(options, request, reply))
    scope.options(url, (request, reply) =>
      reply
        .code(204)
        .headers({ ...standing, ...preflightHeaders(request, preflight) })
        .send(),
    )
  })
}

function checkAddress({ keys, clock }: SignedBlobOptions, request: FastifyRequest): AddressTerms {
  const verdict = verifyAddress(keys, request.method, request.raw.url ?? '', clock.now())
  if (verdict.state === 'expired') throw new Problem('gone-expired', 'The signed URL has expired. Request a new one.')
  if (verdict.state === 'refused') throw new Problem('forbidden', 'The URL has no valid signature.')
  return verdict.terms
}

function refuse(
  options: SignedBlobOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem = problemOf(error)
  if (!problem) throw error
  return reply
    .code(problem.status)
    .headers({ ...standing, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, options.baseOf(request), request.id)))
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof BlobMissing) return new Problem('not-found', 'There is no object at this URL.')
  if (error instanceof BlobSizeDiffers) return new Problem('malformed', `${sentence(error.message)}.`)
  if (error instanceof BlobTooLarge) return new Problem('too-large', `${sentence(error.message)}.`)
  return null
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function headersOf(terms: AddressTerms, facts: BlobFacts, now: Date): Record<string, string> {
  const age_s = Math.max(0, Math.floor((terms.expires_at.getTime() - now.getTime()) / 1000))
  return {
    ...standing,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${age_s}`,
    'content-disposition': attachmentHeader(terms.file_name),
    'content-type': isMediaType(terms.media_type) ? terms.media_type : facts.media_type,
    etag: `"${facts.etag}"`,
  }
}

async function serve(options: SignedBlobOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const terms = checkAddress(options, request)
  await options.admit?.(terms)
  const facts = await options.blobs.head(terms.path)
  if (!facts) throw new BlobMissing(terms.path)
  const headers = headersOf(terms, facts, options.clock.now())
  if (matchesTag(request.headers['if-none-match'], facts.etag)) return reply.code(304).headers(headers).send()

  const ranged = request.method === 'GET' && allowsPart(headerOf(request, 'if-range'), facts.etag)
  const range = readRangeHeader(ranged ? request.headers.range : undefined, facts.size)
  if (range.state === 'unsatisfiable') return refuseRange(request, reply, headers, facts.size)
  const { status, length, more } = extentOf(range, facts.size)
  const all = { ...headers, ...more, 'content-length': String(length) }
  if (request.method === 'HEAD') return reply.code(status).headers(all).send()

  const stream = await options.blobs.stream(terms.path, range.state === 'part' ? range : undefined)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
  reply.raw.writeHead(status, all)
  await pour(stream, reply.raw, (bytes, ended) => options.onSent?.(terms, bytes, ended))
  return reply
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function extentOf(range: RangeVerdict, size: number): { status: number; length: number; more: Record<string, string> } {
  if (range.state !== 'part') return { status: 200, length: size, more: {} }
  const { start, end } = range
  return { status: 206, length: end - start + 1, more: { 'content-range': `bytes ${start}-${end}/${size}` } }
}

/** 416 has no problem type of its own, so its type is `about:blank` (RFC 9457, 4.2.1). */
function refuseRange(
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

async function take(options: SignedBlobOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const terms = checkAddress(options, request)
  const { media_type, size, within } = terms
  const limit_bytes = Math.min(options.upload_limit_bytes, within?.bytes ?? Number.POSITIVE_INFINITY)
  if (Number(request.headers['content-length'] ?? 0) > limit_bytes) throw new BlobTooLarge(limit_bytes)
  if ((request.headers['content-type'] ?? media_type) !== media_type) {
    throw new Problem('forbidden', `The URL was signed for the media type "${media_type}".`)
  }
  await options.admitPut?.(terms, 'begin')
  // Otherwise leaving the loop early would destroy the request but keep its socket, which is then never read again.
  const chunks = request.raw.iterator({ destroyOnReturn: false })
  const facts = await options.blobs.receive(terms.path, chunks, { media_type, limit_bytes, size, within })
  await keepAdmitted(options, terms)
  return reply
    .code(200)
    .headers({ ...standing, 'cache-control': 'no-store', etag: `"${facts.etag}"` })
    .send()
}

/** Deletes an object that arrived after the URL stopped accepting uploads. */
async function keepAdmitted({ admitPut, blobs }: SignedBlobOptions, terms: AddressTerms): Promise<void> {
  try {
    await admitPut?.(terms, 'end')
  } catch (error) {
    await blobs.delete(terms.path)
    throw error
  }
}
