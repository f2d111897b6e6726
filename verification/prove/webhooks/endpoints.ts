import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Behaviour of an endpoint. */
type Behaviour = 'healthy' | 'slow' | 'failing' | 'refusing' | 'silent' | 'resetting'

/** The first time that an event reached an endpoint that accepted it. */
export interface Receipt {
  readonly endpoint: number
  readonly event_ms: number
  readonly received_ms: number
}

export interface Endpoints {
  readonly origin: string
  readonly behaviours: readonly Behaviour[]
  /** Accepted events by id; of an event that arrived more than once, the first time. */
  readonly receipts: ReadonlyMap<string, Receipt>
  /** Deliveries that were accepted more than once. */
  readonly duplicates: () => number
  /** Deliveries that must not have been received. */
  readonly violations: readonly string[]
  urlOf(endpoint: number): string
  /** The other URL of the endpoint, at which it is healthy. */
  recoveredUrlOf(endpoint: number): string
  close(): Promise<void>
}

const dead: readonly Behaviour[] = ['failing', 'refusing', 'silent', 'resetting', 'failing']
const slow_ms = 2000

/** The behaviours of so many endpoints, of which the last ten are dead or slow. */
export const behavioursOf = (count: number): Behaviour[] => [
  ...Array.from({ length: count - 10 }, () => 'healthy' as const),
  ...Array.from({ length: 5 }, () => 'slow' as const),
  ...dead,
]

interface EventBody {
  readonly event_id: string
  readonly timestamp: string
}

/**
 * A local server with an endpoint at each `/<number>`. A receiver with an id of its own for each endpoint: events
 * subscribed for one must not arrive at another.
 */
export async function startEndpoints(behaviours: readonly Behaviour[]): Promise<Endpoints> {
  const receipts = new Map<string, Receipt>()
  const violations: string[] = []
  const sockets = new Set<Socket>()
  let duplicates = 0

  const accept = (endpoint: number, body: string, received_ms: number): void => {
    const { event_id, timestamp } = JSON.parse(body) as EventBody
    const earlier = receipts.get(event_id)
    if (earlier === undefined) receipts.set(event_id, { endpoint, event_ms: Date.parse(timestamp), received_ms })
    else if (earlier.endpoint === endpoint) duplicates += 1
    else violations.push(`event ${event_id} reached the endpoints ${earlier.endpoint} and ${endpoint}`)
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received_ms = Date.now()
    const [, number, recovered] = (request.url ?? '').split('/')
    const endpoint = Number(number)
    const behaviour = recovered === undefined ? behaviours[endpoint] : 'healthy'
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (behaviour === 'failing') return void response.writeHead(500).end()
    if (behaviour === 'refusing') return void response.writeHead(400).end()
    if (behaviour === 'resetting') return void request.socket.destroy()
    if (behaviour === 'silent') return
    if (behaviour === 'slow') await pause(slow_ms)
    accept(endpoint, body, received_ms)
    response.writeHead(204).end()
  }
  // A request of a killed server may end in the middle of its body.
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    behaviours,
    receipts,
    duplicates: () => duplicates,
    violations,
    urlOf: (endpoint) => `${origin}/${endpoint}`,
    recoveredUrlOf: (endpoint) => `${origin}/${endpoint}/recovered`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
