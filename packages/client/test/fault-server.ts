import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of a range of the file, as the server got it. */
export interface RangeRequest {
  readonly url: string
  readonly start: number
  readonly end: number
  readonly ifRange: string | null
}

/** What happens to a request instead of its response; null: it is served. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** The connection is cut after so many bytes of the body. */
  | { readonly cut_bytes: number }
  /** Nothing more is sent after so many bytes. */
  | { readonly stall_bytes: number }
  /** The whole file is sent, as by a server without ranges. */
  | 'whole'
  /** Bytes of the right number that are wrong. */
  | 'garbled'

export interface FaultServer {
  readonly origin: string
  readonly requests: RangeRequest[]
  /** The file; may be replaced by another version of the same path. */
  content: Uint8Array
  hasEtag: boolean
  /** Decides about each request; `number` counts from 0. */
  fault: (request: RangeRequest, number: number) => Fault | null
  /** The bytes of all bodies that were sent. */
  sent_bytes: number
  close(): Promise<void>
}

const etagOf = (content: Uint8Array): string => `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`

/** Serves one file at every path, in ranges, with the faults that a test wants. */
export async function startFaultServer(content: Uint8Array): Promise<FaultServer> {
  const server = createServer((request, response) => respond(faults, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const faults: FaultServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    content,
    hasEtag: true,
    fault: () => null,
    sent_bytes: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return faults
}

function respond(faults: FaultServer, request: IncomingMessage, response: ServerResponse): void {
  const { content, hasEtag } = faults
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const range = { start: Number(first), end: Math.min(content.length, Number(last) + 1) }
  const ifRange = (request.headers['if-range'] as string | undefined) ?? null
  const told = { url: request.url ?? '', ...range, ifRange }
  const fault = faults.fault(told, faults.requests.push(told) - 1)
  const headers = { 'accept-ranges': 'bytes', ...(hasEtag ? { etag: etagOf(content) } : {}) }
  if (fault !== null && typeof fault === 'object' && 'status' in fault)
    return void response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '')
  if (fault === 'whole' || (ifRange !== null && ifRange !== etagOf(content)))
    return send(faults, response, { status: 200, headers, bytes: content, fault })
  if (range.start >= content.length)
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${content.length}` }).end()
  const contentRange = `bytes ${range.start}-${range.end - 1}/${content.length}`
  const bytes = content.slice(range.start, range.end)
  send(faults, response, { status: 206, headers: { ...headers, 'content-range': contentRange }, bytes, fault })
}

interface Sending {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly fault: Fault | null
}

function send(faults: FaultServer, response: ServerResponse, { status, headers, bytes, fault }: Sending): void {
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
  if (fault === 'garbled') return void response.end(new Uint8Array(bytes.length))
  if (fault === null || typeof fault === 'string' || 'status' in fault) {
    faults.sent_bytes += bytes.length
    return void response.end(bytes)
  }
  const until = 'cut_bytes' in fault ? fault.cut_bytes : fault.stall_bytes
  faults.sent_bytes += until
  response.write(bytes.subarray(0, until), () => {
    if ('cut_bytes' in fault) response.destroy()
  })
}
