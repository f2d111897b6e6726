import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Called for each request; what it returns is called with the status when the whole answer has passed. */
export type WatchRequest = (incoming: IncomingMessage) => (status: number) => void

export interface ForwardingProxy {
  readonly url: string
  /** The server to forward to from now on. */
  setTarget(url: string): void
  close(): Promise<void>
}

const badGateway = 502

/** Forwards HTTP requests with their headers, the name of the host included, and answers; `watch` sees what passes. */
export async function startForwardingProxy(watch: WatchRequest): Promise<ForwardingProxy> {
  let current = ''
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const ended = watch(incoming)
    const { method, url, headers } = incoming
    const outgoing = request(new URL(url ?? '/', current), { method, headers }, (answer) => {
      const { statusCode = badGateway, rawHeaders } = answer
      response.writeHead(statusCode, rawHeaders)
      answer.pipe(response)
      answer.on('end', () => ended(statusCode))
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => {
      // A server that breaks a connection has failed, unless the client went away before.
      if (!response.destroyed) ended(badGateway)
      response.destroy()
    })
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setTarget: (url) => void (current = url),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
