import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatContentDisposition } from '../../platform/blobs/content-disposition.ts'
import { sendStream } from '../send-stream.ts'

/** A ZIP archive that is created while it is read. */
export interface ZipDownload {
  readonly file_name: string
  /** Bytes of the whole archive. */
  readonly size: number
  readonly stream: ReadableStream<Uint8Array>
  /** Called with the bytes that were sent; `ended` is true once per archive. */
  onSent(bytes: number, ended: boolean): void
}

export interface ArchiveRouteOptions {
  /** The archive of a signed URL, as the request has it; throws a Problem. */
  openArchive(target: string): Promise<ZipDownload>
}

/** Other origins may read the response (the URL is signed); the sandbox keeps it from running as a page of this origin. */
const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-expose-headers': 'Content-Disposition, Content-Length',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-type': 'application/zip',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  // The checksums of the entries are known only after they were read, so an archive is always sent from its start.
  'accept-ranges': 'none',
}

/** Sends archives at signed URLs, without a token: GET, and HEAD for the size. */
export function registerArchiveRoutes(app: FastifyInstance, options: ArchiveRouteOptions): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/archives/*',
    handler: (request, reply) => sendArchive(options, request, reply),
  })
}

async function sendArchive(
  options: ArchiveRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const archive = await options.openArchive(request.raw.url ?? '')
  const headers = {
    ...commonHeaders,
    'content-disposition': formatContentDisposition(archive.file_name),
    'content-length': String(archive.size),
  }
  if (request.method === 'HEAD') {
    await archive.stream.cancel()
    return reply.headers(headers).send()
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
  reply.raw.writeHead(200, headers)
  await sendStream(archive.stream, reply.raw, (bytes, ended) => archive.onSent(bytes, ended))
  return reply
}
