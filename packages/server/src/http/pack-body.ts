import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** Features shrink to a third and less; pictures are packed already. */
const packable = /^application\/(?:vnd\.mapbox-vector-tile|geo\+json)(?:;|$)/

const least_bytes = 1024

/** The body as it is sent: packed with gzip where it is worth it and the caller takes it, with the headers that say so. */
export function packBody(
  reply: FastifyReply,
  body: Buffer | string | Readable,
  media_type: string | null,
): Buffer | string | Readable {
  if (media_type === null || !packable.test(media_type)) return body
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${String(vary)}, accept-encoding` : 'accept-encoding')
  const isSmall = !(body instanceof Readable) && body.length < least_bytes
  if (isSmall || !takesGzip(reply.request.headers['accept-encoding'])) return body
  // Other bytes than those that the tag names, though they mean the same.
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
  reply.header('content-encoding', 'gzip')
  return pipeline(body instanceof Readable ? body : Readable.from([Buffer.from(body)]), createGzip(), () => undefined)
}

/** Named, or meant by `*`, and not ruled out by a weight of 0 (RFC 9110, section 12.5.3). */
export function takesGzip(asked: string | readonly string[] | undefined): boolean {
  const weights = new Map(
    String(asked ?? '')
      .toLowerCase()
      .split(',')
      .map((coding): [string, number] => {
        const [name = '', weight] = coding.split(';').map((part) => part.trim())
        return [name, weight?.startsWith('q=') ? Number(weight.slice(2)) : 1]
      }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
