import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that one connection may hold waiting behind another; each is a head in memory. Beyond, the connection is closed. */
const max_waiting = 100

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What is handled on a connection at the moment, and what follows it. */
interface Line {
  current: Exchange | null
  readonly waiting: Exchange[]
}

export interface PipelinedRequests {
  readonly listener: RequestListener
  /** What a connection is busy with; null for an idle one. */
  currentOf(socket: Socket): Exchange | null
}

/**
 * Handles the requests of a connection one after the other. Node dispatches all that a client has sent ahead of the responses
 * (pipelining, RFC 9112 9.3.2) at once and keeps their responses in memory until they can be sent: a client that never reads
 * would have thousands of them made by one packet.
 */
export function handleInOrder(handle: RequestListener): PipelinedRequests {
  const lines = new WeakMap<Socket, Line>()

  const begin = (line: Line, exchange: Exchange): void => {
    line.current = exchange
    const { request, response } = exchange
    response.once('close', () => {
      line.current = null
      const next = request.socket.destroyed ? undefined : line.waiting.shift()
      if (next) begin(line, next)
    })
    handle(request, response)
  }

  return {
    currentOf: (socket) => lines.get(socket)?.current ?? null,
    listener: (request, response) => {
      const { socket } = request
      let line = lines.get(socket)
      if (!line) lines.set(socket, (line = { current: null, waiting: [] }))
      if (line.current === null) begin(line, { request, response })
      else if (line.waiting.length < max_waiting) line.waiting.push({ request, response })
      else socket.destroy()
    },
  }
}
