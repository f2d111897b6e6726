import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** Features compress to a third or less; images are compressed already. */
const compressibleTypes = /^application\/(?:vnd\.mapbox-vector-tile|geo\+json)(?:;|$)/

const min_bytes = 1024

/** Compresses a body with gzip if it is worthwhile and the client accepts it, and sets the headers. */
export function compressBody(
  reply: FastifyReply,
  body: Buffer | string | Readable,
  media_type: string | null,
): Buffer | string | Readable {
  if (media_type === null || !compressibleTypes.test(media_type)) return body
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${String(vary)}, accept-encoding` : 'accept-encoding')
  const isSmall = !(body instanceof Readable) && body.length < min_bytes
  if (isSmall || !acceptsGzip(reply.request.headers['accept-encoding'])) return body
  // The compressed bytes differ from those of the strong tag, so the tag becomes weak.
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
  reply.header('content-encoding', 'gzip')
  return pipeline(body instanceof Readable ? body : Readable.from([Buffer.from(body)]), createGzip(), () => undefined)
}

/** True if an `Accept-Encoding` header lists gzip or `*` with a weight above 0 (RFC 9110, 12.5.3). */
export const acceptsGzip = (acceptEncoding: string | readonly string[] | undefined): boolean =>
  acceptsCoding(acceptEncoding, ['gzip', 'x-gzip'])

/** True if an `Accept-Encoding` header lists one of the names of a coding, else `*`, with a weight above 0. */
export function acceptsCoding(
  acceptEncoding: string | readonly string[] | undefined,
  codingNames: readonly string[],
): boolean {
  if (acceptEncoding === undefined) return false
  const weights = new Map(
    String(acceptEncoding)
      .toLowerCase()
      .split(',')
      .map((coding): [string, number] => {
        const [name = '', weight] = coding.split(';').map((part) => part.trim())
        return [name, weight?.startsWith('q=') ? Number(weight.slice(2)) : 1]
      }),
  )
  const named = codingNames.find((name) => weights.has(name))
  return (weights.get(named ?? '*') ?? 0) > 0
}
