import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

export interface Balancer {
  readonly url: string
  close(): Promise<void>
}

/** Sends each request to the next of the addresses that `targets` answers, and its response back, both as they come. */
export async function openBalancer(targets: () => readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let next = 0
  const server = createServer((incoming, outgoing) => {
    const all = targets()
    const target = new URL(incoming.url ?? '/', all[next++ % all.length])
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
  // A client that says no more may still wait for its response.
  Object.assign(server, { httpAllowHalfOpen: true })
  // What is hardly HTTP goes on as it came: how it is refused is the server's business.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    const { hostname, port } = new URL(targets()[0]!)
    // The HTTP server would end a connection that has no request as soon as the client says no more.
    socket.removeAllListeners('end')
    const onwards = connect(Number(port), hostname)
    onwards.once('error', () => socket.destroy())
    socket.once('error', () => onwards.destroy())
    if (error.rawPacket) onwards.write(error.rawPacket)
    onwards.pipe(socket)
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
