import { createServer, type RequestListener, type Server } from 'node:http'
import { handleInOrder, type Exchange } from './pipelined-requests.ts'

/** What a client may take of the server's time and connections. */
export interface ConnectionLimits {
  /** From the start of a request to the end of its head. */
  readonly head_timeout_ms: number
  /** Without a byte: of a body that has not ended, or of a response that the client does not read. */
  readonly idle_timeout_ms: number
  /** Further connections are closed as they come. */
  readonly max_connections: number
}

export const default_connection_limits: ConnectionLimits = {
  head_timeout_ms: 20_000,
  idle_timeout_ms: 60_000,
  max_connections: 10_000,
}

const keep_alive_ms = 72_000

/** An HTTP server whose clients take no more than the limits. There is no time for a whole request: large files take theirs. */
export function createLimitedServer(handle: RequestListener, limits: ConnectionLimits): Server {
  const { head_timeout_ms } = limits
  const options = {
    headersTimeout: head_timeout_ms,
    connectionsCheckingInterval: Math.ceil(head_timeout_ms / 4),
    keepAliveTimeout: keep_alive_ms,
    requestTimeout: 0,
  }
  const { listener, currentOf } = handleInOrder(handle)
  const server = createServer(options, listener)
  server.maxConnections = limits.max_connections
  // Ends connections whose client stalls. While a call is worked on nothing moves either: that is ours, and may last.
  server.setTimeout(limits.idle_timeout_ms, (socket) => {
    const current = currentOf(socket)
    if (current === null || isStalled(current)) socket.destroy()
    // A timeout is told once, and again only after it is set anew.
    else socket.setTimeout(limits.idle_timeout_ms)
  })
  return server
}

/** What was received and not yet read, or not yet given to be sent, waits for us and not for the client. */
const isStalled = ({ request, response }: Exchange): boolean =>
  (!request.complete && request.readableLength === 0) || response.writableLength > 0
