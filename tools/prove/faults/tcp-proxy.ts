import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * How the proxy treats traffic. `pass`: forwards it. `hang`: connections stay open and nothing arrives. `reset`: resets every
 * connection, new ones too. `refuse`: does not listen. `slow`: delays each chunk. `answer`: responds to every request with
 * the same bytes.
 */
export type Traffic =
  | { readonly kind: 'pass' | 'hang' | 'reset' | 'refuse' }
  | { readonly kind: 'slow'; readonly delay_ms: number }
  | { readonly kind: 'answer'; readonly bytes: string }

export interface TcpProxy {
  readonly port: number
  /** Applies from now on; bytes held by `hang` arrive after the next `pass`. */
  set(traffic: Traffic): Promise<void>
  close(): Promise<void>
}

interface Line {
  readonly client: Socket
  upstream: Socket | null
}

/** Shared state of the connections of a proxy. */
interface Way {
  readonly upstream_port: number
  readonly lines: Set<Line>
  traffic: Traffic
}

function drop({ lines }: Way, line: Line): void {
  lines.delete(line)
  line.client.destroy()
  line.upstream?.destroy()
}

/** Forwards one direction; chunks keep their order. */
function carry(way: Way, line: Line, from: Socket, to: Socket): void {
  let before = Promise.resolve()
  from.on('data', (piece: Buffer) => {
    const { traffic } = way
    const rest_ms = traffic.kind === 'slow' ? traffic.delay_ms : 0
    if (rest_ms > 0) before = before.then(() => new Promise((resolve) => setTimeout(resolve, rest_ms)))
    before = before.then(() => void to.write(piece))
  })
  from.on('end', () => void before.then(() => to.end()))
  from.on('error', () => drop(way, line))
  from.on('close', () => void before.then(() => drop(way, line)))
}

function dial(way: Way, line: Line): void {
  const upstream = connect(way.upstream_port, '127.0.0.1')
  line.upstream = upstream
  carry(way, line, line.client, upstream)
  carry(way, line, upstream, line.client)
}

/** Applies the current traffic mode to a connection. */
function treat(way: Way, line: Line): void {
  const { traffic } = way
  const { client, upstream } = line
  if (traffic.kind === 'hang') {
    client.pause()
    upstream?.pause()
    return
  }
  if (traffic.kind === 'reset' || traffic.kind === 'refuse') {
    client.resetAndDestroy()
    drop(way, line)
    return
  }
  if (traffic.kind === 'answer') {
    // Connections to the upstream server are closed.
    if (upstream) return drop(way, line)
    client.on('data', () => client.end(traffic.bytes))
    client.resume()
    return
  }
  if (upstream === null) dial(way, line)
  client.resume()
  line.upstream?.resume()
}

function accept(way: Way, client: Socket): void {
  const line: Line = { client, upstream: null }
  way.lines.add(line)
  client.on('error', () => drop(way, line))
  client.on('close', () => way.lines.delete(line))
  client.pause()
  treat(way, line)
}

async function listen(way: Way, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => accept(way, client)).listen(port, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return server
}

/** Opens a TCP proxy between the product and one of its dependencies that can inject faults. */
export async function openTcpProxy(upstream_port: number): Promise<TcpProxy> {
  const way: Way = { upstream_port, lines: new Set(), traffic: { kind: 'pass' } }
  let server: Server | null = await listen(way, 0)
  const { port } = server.address() as { port: number }
  const silence = async (): Promise<void> => {
    const closing = server
    server = null
    if (closing) await new Promise((resolve) => closing.close(resolve))
  }
  return {
    port,
    set: async (traffic) => {
      way.traffic = traffic
      for (const line of way.lines) treat(way, line)
      if (traffic.kind === 'refuse') await silence()
      else server ??= await listen(way, port)
    },
    close: async () => {
      for (const line of way.lines) drop(way, line)
      await silence()
    },
  }
}
