import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that one connection may hold waiting behind another; each is a head in memory. Beyond, the connection is closed. */
const max_waiting = 100

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Handles the requests of a connection one after the other. Node dispatches all that a client has sent ahead of the responses
 * (pipelining, RFC 9112 9.3.2) at once and keeps their responses in memory until they can be sent: a client that never reads
 * would have thousands of them made by one packet.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Waiting[]>()

  const begin = ({ request, response }: Waiting): void => {
    response.once('close', () => next(request.socket))
    handle(request, response)
  }

  const next = (socket: Socket): void => {
    const line = lines.get(socket)
    const following = socket.destroyed ? undefined : line?.shift()
    if (following) begin(following)
    else lines.delete(socket)
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (!line) {
      lines.set(socket, [])
      return begin({ request, response })
    }
    if (line.length < max_waiting) line.push({ request, response })
    else socket.destroy()
  }
}
