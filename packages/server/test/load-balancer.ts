import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

export interface LoadBalancer {
  readonly url: string
  close(): Promise<void>
}

/** Forwards each request to the next of the URLs that `targets` returns and streams the response back. */
export async function startLoadBalancer(targets: () => readonly string[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true })
  let next = 0
  const server = createServer((incoming, outgoing) => {
    const urls = targets()
    const target = new URL(incoming.url ?? '/', urls[next++ % urls.length])
    const { method, headers } = incoming
    const forwarded = request(target, { method, headers, agent, setHost: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(outgoing)
      response.once('error', () => outgoing.destroy())
    })
    forwarded.once('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.once('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  // A client that has closed its sending side may still wait for the response.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Bytes that are not valid HTTP are forwarded as they are: rejecting them is up to the server.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    const { hostname, port } = new URL(targets()[0]!)
    // The HTTP server would close a connection without a request as soon as the client closes its sending side.
    socket.removeAllListeners('end')
    const upstream = connect(Number(port), hostname)
    upstream.once('error', () => socket.destroy())
    socket.once('error', () => upstream.destroy())
    if (error.rawPacket) upstream.write(error.rawPacket)
    upstream.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
