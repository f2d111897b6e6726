import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What happens to bytes on their way. `pass`: they arrive. `hang`: connections stand and nothing arrives. `reset`: every
 * connection is reset, new ones too. `refuse`: nobody listens. `slow`: each piece comes later. `answer`: somebody else answers
 * every request with the same bytes.
 */
export type Traffic =
  | { readonly kind: 'pass' | 'hang' | 'reset' | 'refuse' }
  | { readonly kind: 'slow'; readonly delay_ms: number }
  | { readonly kind: 'answer'; readonly bytes: string }

export interface TcpProxy {
  readonly port: number
  /** From now on; what is on its way under `hang` arrives when it passes again. */
  set(traffic: Traffic): Promise<void>
  close(): Promise<void>
}

interface Line {
  readonly client: Socket
  upstream: Socket | null
}

/** What all connections of a proxy share. */
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

/** One direction; each piece waits for the one before it. */
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

/** What a connection meets, by the traffic of the moment. */
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
    // What was under way with the server behind is cut.
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

/** Stands between the product and a server that it needs, and treats its bytes badly when it is told to. */
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
