import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attachmentHeader } from '../platform/blobs/disposition.ts'
import { pour } from './pour.ts'

/** A ZIP archive that is created while it is read. */
export interface SentArchive {
  readonly file_name: string
  /** Bytes of the whole archive. */
  readonly size: number
  readonly stream: ReadableStream<Uint8Array>
  /** Called with the bytes that were sent; `ended` is true once per archive. */
  onSent(bytes: number, ended: boolean): void
}

export interface ArchiveDoors {
  /** The archive of a signed URL, as the request has it; throws a Problem. */
  open(target: string): Promise<SentArchive>
}

/** Other origins may read the response (the URL is signed); the sandbox keeps it from running as a page of this origin. */
const standing: Readonly<Record<string, string>> = {
  'access-control-expose-headers': 'Content-Disposition, Content-Length',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-type': 'application/zip',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The checksums of the entries are known only after they were read, so an archive is always sent from its start.
  'accept-ranges': 'none',
}

/** Sends archives at signed URLs, without a token: GET, and HEAD for the size. */
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
