import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attachmentHeader } from '../platform/blobs/disposition.ts'
import { pour } from './pour.ts'

/** An archive that is packed while it is read. */
export interface SentArchive {
  readonly file_name: string
  /** Bytes of the whole. */
  readonly size: number
  readonly stream: ReadableStream<Uint8Array>
  /** Hears of the bytes that left; `ended` once for every archive that was begun. */
  onSent(bytes: number, ended: boolean): void
}

export interface ArchiveDoors {
  /** The archive at a signed address, given as it came in; throws a Problem. */
  open(target: string): Promise<SentArchive>
}

/** Other origins may read what they hold an address for; nothing that is served may run as a page of ours. */
const standing: Readonly<Record<string, string>> = {
  'access-control-expose-headers': 'Content-Disposition, Content-Length',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-type': 'application/zip',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Checksums of the parts are known only once they were read: an archive is sent from its beginning.
  'accept-ranges': 'none',
}

/** Sends archives under signed addresses, with no token: GET, and HEAD for the size. */
export function archiveRoutes(app: FastifyInstance, doors: ArchiveDoors): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/archives/*',
    handler: (request, reply) => serve(doors, request, reply),
  })
}

async function serve(doors: ArchiveDoors, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const archive = await doors.open(request.raw.url ?? '')
  const headers = {
    ...standing,
    'content-disposition': attachmentHeader(archive.file_name),
    'content-length': String(archive.size),
  }
  if (request.method === 'HEAD') {
    await archive.stream.cancel()
    return reply.headers(headers).send()
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
  reply.raw.writeHead(200, headers)
  await pour(archive.stream, reply.raw, (bytes, ended) => archive.onSent(bytes, ended))
  return reply
}
