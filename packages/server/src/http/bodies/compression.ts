import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** Texts; images are compressed already, and streams of lines or events are sent as they are produced. */
const compressibleTypes =
  /^(?:text\/(?!event-stream)|application\/(?:(?:[\w.-]+\+)?(?:json|xml)|(?:x-)?javascript|vnd\.mapbox-vector-tile)|image\/svg\+xml)/

const min_bytes = 1024
/** Larger bodies are compressed as they are sent, so that they are not held twice. */
const max_whole_bytes = 1024 * 1024

interface Coding {
  readonly compress: (body: string | Buffer) => Promise<Buffer>
  readonly createStream: () => NodeJS.ReadWriteStream
}

/** Its highest levels take seconds for a megabyte; this one takes about as long as gzip and is smaller. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/** By preference. */
const codings = {
  zstd: { compress: promisify(zlib.zstdCompress), createStream: () => zlib.createZstdCompress() },
  br: {
    compress: (body) => promisify(zlib.brotliCompress)(body, brotliOptions),
    createStream: () => zlib.createBrotliCompress(brotliOptions),
  },
  gzip: { compress: promisify(zlib.gzip), createStream: () => zlib.createGzip() },
} as const satisfies Readonly<Record<string, Coding>>

type CodingName = keyof typeof codings

const codingNames = Object.keys(codings) as CodingName[]

/** The option is not in the types of the library: of codings with equal weights, the order of the server counts. */
interface PreferringNegotiator {
  encodings(available: string[], options?: { readonly preferred: readonly string[] }): string[]
}

/** The coding of those given, the preferred first, that a client accepts (RFC 9110 12.5.3); null for none of them. */
export function chooseCoding(
  headers: FastifyRequest['headers'],
  available: readonly CodingName[] = codingNames,
): CodingName | null {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase()
  if (accepted === '') return null
  // Programs that send `*` read gzip, and not what was defined after them.
  const known = available.filter((name) => name === 'gzip' || accepted.includes(name))
  const negotiator: PreferringNegotiator = new Negotiator({ headers })
  const [first] = negotiator.encodings(known, { preferred: known })
  return available.find((name) => name === first) ?? null
}

/** Compresses every response whose body is a text worth it, if the client accepts a coding. */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply)) return done(null, payload)
    varyByCoding(reply)
    const coding = chooseCoding(request.headers)
    if (coding === null || !isLongEnough(payload)) return done(null, payload)
    setCoding(reply, coding)
    const { compress, createStream } = codings[coding]
    if (payload instanceof Readable || payload.length > max_whole_bytes) {
      const source = payload instanceof Readable ? payload : Readable.from([payload])
      return done(
        null,
        pipeline(source, createStream(), () => undefined),
      )
    }
    compress(payload).then(
      (body) => done(null, body),
      (error: Error) => done(error),
    )
  })
}

function isCompressible({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  if (method === 'HEAD' || reply.hasHeader('content-encoding') || reply.hasHeader('content-range')) return false
  // The size of a page that has a secret of its reader and what somebody else wrote would tell the secret.
  if (headers.cookie !== undefined || reply.hasHeader('set-cookie')) return false
  return compressibleTypes.test(String(reply.getHeader('content-type') ?? ''))
}

type Payload = string | Buffer | Readable

const isLongEnough = (payload: unknown): payload is Payload =>
  payload instanceof Readable ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= min_bytes)

function varyByCoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${String(vary)}, accept-encoding` : 'accept-encoding')
}

function setCoding(reply: FastifyReply, coding: CodingName): void {
  // The compressed bytes differ from those of the strong tag, so the tag becomes weak.
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
  reply.removeHeader('content-length')
  reply.header('content-encoding', coding)
}
