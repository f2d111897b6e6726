import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum waiting requests of one connection, each with its headers in memory; beyond it the connection is closed. */
const max_waiting_requests = 100

export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The current request of a connection and those that wait. */
interface RequestQueue {
  current: HttpExchange | null
  readonly waiting: HttpExchange[]
}

export interface PipelinedRequests {
  readonly listener: RequestListener
  /** The current request of a connection; null if it is idle. */
  currentOf(socket: Socket): HttpExchange | null
}

/**
 * Handles the requests of a connection one after another. Node dispatches pipelined requests (RFC 9112, 9.3.2) at once and
 * keeps their responses in memory until they can be sent: a client that never reads could cause thousands of responses
 * with one packet.
 */
export function handleInOrder(requestListener: RequestListener): PipelinedRequests {
  const queues = new WeakMap<Socket, RequestQueue>()

  const startExchange = (queue: RequestQueue, exchange: HttpExchange): void => {
    queue.current = exchange
    const { request, response } = exchange
    response.once('close', () => {
      queue.current = null
      const next = request.socket.destroyed ? undefined : queue.waiting.shift()
      if (next) startExchange(queue, next)
    })
    requestListener(request, response)
  }

  return {
    currentOf: (socket) => queues.get(socket)?.current ?? null,
    listener: (request, response) => {
      const { socket } = request
      let queue = queues.get(socket)
      if (!queue) queues.set(socket, (queue = { current: null, waiting: [] }))
      if (queue.current === null) startExchange(queue, { request, response })
      else if (queue.waiting.length < max_waiting_requests) queue.waiting.push({ request, response })
      else socket.destroy()
    },
  }
}
