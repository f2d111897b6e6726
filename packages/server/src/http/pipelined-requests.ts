import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum waiting requests of one connection, each with its headers in memory; beyond it the connection is closed. */
const max_waiting = 100

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The current request of a connection and those that wait. */
interface RequestQueue {
  current: Exchange | null
  readonly waiting: Exchange[]
}

export interface PipelinedRequests {
  readonly listener: RequestListener
  /** The current request of a connection; null if it is idle. */
  currentOf(socket: Socket): Exchange | null
}

/**
 * Handles the requests of a connection one after another. Node dispatches pipelined requests (RFC 9112, 9.3.2) at once and
 * keeps their responses in memory until they can be sent: a client that never reads could cause thousands of responses
 * with one packet.
 */
export function handleInOrder(handle: RequestListener): PipelinedRequests {
  const queues = new WeakMap<Socket, RequestQueue>()

  const begin = (queue: RequestQueue, exchange: Exchange): void => {
    queue.current = exchange
    const { request, response } = exchange
    response.once('close', () => {
      queue.current = null
      const next = request.socket.destroyed ? undefined : queue.waiting.shift()
      if (next) begin(queue, next)
    })
    handle(request, response)
  }

  return {
    currentOf: (socket) => queues.get(socket)?.current ?? null,
    listener: (request, response) => {
      const { socket } = request
      let queue = queues.get(socket)
      if (!queue) queues.set(socket, (queue = { current: null, waiting: [] }))
      if (queue.current === null) begin(queue, { request, response })
      else if (queue.waiting.length < max_waiting) queue.waiting.push({ request, response })
      else socket.destroy()
    },
  }
}
