import type { Socket } from 'node:net'
import { Problem, problemDocument } from '../engine/problem.ts'
import { nextRequestId } from '../platform/ids.ts'

/**
 * Answers on the bare socket what is no HTTP, or has a head that is too large or does not end in time: there is no request to answer yet, and the
 * caller gets a problem document as for everything else.
 */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket, base: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = new Problem('malformed', 'The request cannot be read as HTTP, or its head is too large or too slow.')
  const body = JSON.stringify(problemDocument(problem, base, nextRequestId()))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon())
}
