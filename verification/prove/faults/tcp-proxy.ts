import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Mode of the proxy. `pass`: forwards it. `hang`: connections stay open and nothing arrives. `reset`: resets every
 * connection, new ones too. `refuse`: does not listen. `slow`: delays each chunk. `answer`: responds to every request with
 * the same bytes.
 */
export type ProxyTraffic =
  | { readonly kind: 'pass' | 'hang' | 'reset' | 'refuse' }
  | { readonly kind: 'slow'; readonly delay_ms: number }
  | { readonly kind: 'answer'; readonly bytes: string }

export interface TcpProxy {
  readonly port: number
  /** Applies from now on; bytes held by `hang` arrive after the next `pass`. */
  set(traffic: ProxyTraffic): Promise<void>
  close(): Promise<void>
}

interface ProxiedConnection {
  readonly client: Socket
  upstream: Socket | null
}

/** Shared state of the connections of a proxy. */
interface ProxyState {
  readonly upstream_port: number
  readonly connections: Set<ProxiedConnection>
  traffic: ProxyTraffic
}

function closeConnection({ connections }: ProxyState, connection: ProxiedConnection): void {
  connections.delete(connection)
  connection.client.destroy()
  connection.upstream?.destroy()
}

/** Forwards one direction; chunks keep their order. */
function forward(proxy: ProxyState, connection: ProxiedConnection, from: Socket, to: Socket): void {
  let previous = Promise.resolve()
  from.on('data', (piece: Buffer) => {
    const { traffic } = proxy
    const delay_ms = traffic.kind === 'slow' ? traffic.delay_ms : 0
    if (delay_ms > 0) previous = previous.then(() => new Promise((resolve) => setTimeout(resolve, delay_ms)))
    previous = previous.then(() => void to.write(piece))
  })
  from.on('end', () => void previous.then(() => to.end()))
  from.on('error', () => closeConnection(proxy, connection))
  from.on('close', () => void previous.then(() => closeConnection(proxy, connection)))
}

function connectUpstream(proxy: ProxyState, connection: ProxiedConnection): void {
  const upstream = connect(proxy.upstream_port, '127.0.0.1')
  connection.upstream = upstream
  forward(proxy, connection, connection.client, upstream)
  forward(proxy, connection, upstream, connection.client)
}

/** Applies the current traffic mode to a connection. */
function applyTraffic(proxy: ProxyState, connection: ProxiedConnection): void {
  const { traffic } = proxy
  const { client, upstream } = connection
  if (traffic.kind === 'hang') {
    client.pause()
    upstream?.pause()
    return
  }
  if (traffic.kind === 'reset' || traffic.kind === 'refuse') {
    client.resetAndDestroy()
    closeConnection(proxy, connection)
    return
  }
  if (traffic.kind === 'answer') {
    // Connections to the upstream server are closed.
    if (upstream) return closeConnection(proxy, connection)
    client.on('data', () => client.end(traffic.bytes))
    client.resume()
    return
  }
  if (upstream === null) connectUpstream(proxy, connection)
  client.resume()
  connection.upstream?.resume()
}

function accept(proxy: ProxyState, client: Socket): void {
  const connection: ProxiedConnection = { client, upstream: null }
  proxy.connections.add(connection)
  client.on('error', () => closeConnection(proxy, connection))
  client.on('close', () => proxy.connections.delete(connection))
  client.pause()
  applyTraffic(proxy, connection)
}

async function listen(proxy: ProxyState, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => accept(proxy, client)).listen(port, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return server
}

/** Opens a TCP proxy between the product and one of its dependencies that can inject faults. */
export async function openTcpProxy(upstream_port: number): Promise<TcpProxy> {
  const proxy: ProxyState = { upstream_port, connections: new Set(), traffic: { kind: 'pass' } }
  let server: Server | null = await listen(proxy, 0)
  const { port } = server.address() as { port: number }
  const stopListening = async (): Promise<void> => {
    const closing = server
    server = null
    if (closing) await new Promise((resolve) => closing.close(resolve))
  }
  return {
    port,
    set: async (traffic) => {
      proxy.traffic = traffic
      for (const connection of proxy.connections) applyTraffic(proxy, connection)
      if (traffic.kind === 'refuse') await stopListening()
      else server ??= await listen(proxy, port)
    },
    close: async () => {
      for (const connection of proxy.connections) closeConnection(proxy, connection)
      await stopListening()
    },
  }
}
