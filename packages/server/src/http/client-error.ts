import type { Socket } from 'node:net'
import { Problem, toProblemDocument } from '../engine/problem.ts'
import { createRequestId } from '../platform/ids.ts'

type Refusal = readonly [status: number, reason: string, message: string]

const notHttp: Refusal = [400, 'Bad Request', 'The request is not valid HTTP.']

/** By the code of Node's error. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The headers of the request took too long.'],
}

/**
 * Sends a problem document on the bare socket for data that is not HTTP, or for request headers that are too large or too
 * slow: Node has no request object yet.
 */
export function sendClientError(error: Error & { readonly code?: string }, socket: Socket, base: string): void {
  // Browsers open connections that they may need: a response to no request would be shown as that to the next one.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || isUnused || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, message] = refusals[error.code ?? ''] ?? notHttp
  const problem = new Problem('malformed', message, {}, status)
  const body = JSON.stringify(toProblemDocument(problem, base, createRequestId()))
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon())
}
