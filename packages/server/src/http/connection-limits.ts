import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum waiting requests of one connection, each with its headers in memory; beyond it the connection is closed. */
const max_waiting_requests = 100

interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The current request of a connection and those that wait. */
interface RequestQueue {
  current: HttpExchange | null
  readonly waiting: HttpExchange[]
}

interface PipelinedRequests {
  readonly listener: RequestListener
  /** The current request of a connection; null if it is idle. */
  currentOf(socket: Socket): HttpExchange | null
}

/**
 * Handles the requests of a connection one after another. Node dispatches pipelined requests (RFC 9112, 9.3.2) at once and
 * keeps their responses in memory until they can be sent: a client that never reads could cause thousands of responses
 * with one packet.
 */
function handleInOrder(requestListener: RequestListener): PipelinedRequests {
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

/** Limits on the time and connections that clients may use. */
export interface ConnectionLimits {
  /** Timeout from the start of a request to the end of its headers. */
  readonly head_timeout_ms: number
  /** Time without a byte: of an unfinished request body, or of a response that the client does not read. */
  readonly idle_timeout_ms: number
  /** Further connections are closed at once. */
  readonly max_connections: number
}

export const default_connection_limits: ConnectionLimits = {
  head_timeout_ms: 20_000,
  idle_timeout_ms: 60_000,
  max_connections: 10_000,
}

const keep_alive_timeout_ms = 72_000

/** Creates an HTTP server with these limits. There is no timeout for a whole request, since large uploads take long. */
export function createLimitedServer(requestListener: RequestListener, limits: ConnectionLimits): Server {
  const { head_timeout_ms } = limits
  const options = {
    headersTimeout: head_timeout_ms,
    connectionsCheckingInterval: Math.ceil(head_timeout_ms / 4),
    keepAliveTimeout: keep_alive_timeout_ms,
    requestTimeout: 0,
  }
  const { listener, currentOf } = handleInOrder(requestListener)
  const server = createServer(options, listener)
  server.maxConnections = limits.max_connections
  const sockets = collectSockets(server)
  // Called when the server closes.
  server.closeIdleConnections = () => {
    for (const socket of sockets) closeWhenIdle(socket, currentOf)
  }
  // Closes connections whose client stalls. While the server works on a call nothing moves either; that is allowed.
  server.setTimeout(limits.idle_timeout_ms, (socket) => {
    const current = currentOf(socket)
    if (current === null || isStalled(current)) socket.destroy()
    // Node emits a timeout once; setting it again rearms it.
    else socket.setTimeout(limits.idle_timeout_ms)
  })
  return server
}

/** True if the client is awaited, rather than the server: bytes received and not read yet are the server's delay. */
const isStalled = ({ request, response }: HttpExchange): boolean =>
  (!request.complete && request.readableLength === 0) || response.writableLength > 0

/**
 * Closes the connection now or after its call. Node itself keeps one that has not sent a whole head, as browsers open in
 * advance, and one whose call was in progress: the server would not close before their timeouts.
 */
function closeWhenIdle(socket: Socket, currentOf: PipelinedRequests['currentOf']): void {
  const current = currentOf(socket)
  if (current === null) return void socket.destroy()
  current.response.once('close', () => {
    if (currentOf(socket) === null) socket.end()
  })
}

/** The open connections of a server. */
function collectSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}
