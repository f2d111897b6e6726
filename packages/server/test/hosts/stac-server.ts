import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON; null without a body. */
  readonly body: Record<string, unknown> | null
}

export interface PlannedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Time before the response is sent. */
  readonly delay_ms?: number
  /** Objects are sent as JSON; `hang` never ends. */
  readonly body: unknown
  /** False: bytes are sent as a whole whatever range was requested. Default true. */
  readonly ranges?: boolean
}

export type Responder = (request: RecordedRequest, url: string) => PlannedResponse | 'hang'

export interface TestServer {
  readonly url: string
  readonly requests: RecordedRequest[]
  close(): Promise<void>
}

/** An HTTP server on a free port of this machine that responds as a function says. */
export async function startTestServer(respond: Responder): Promise<TestServer> {
  const requests: RecordedRequest[] = []
  let base = ''
  const server = createServer((request, response) => {
    void record(request).then(async (recorded) => {
      requests.push(recorded)
      const planned = respond(recorded, base)
      if (planned === 'hang') return
      if (planned.delay_ms) await pause(planned.delay_ms)
      send(response, planned, recorded)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  }
}

/** Bytes are sent with support for a range, as static file servers do. */
function send(
  response: ServerResponse,
  { status = 200, headers = {}, body, ranges = true }: PlannedResponse,
  request: RecordedRequest,
) {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8')
  const range = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['range'] ?? ''))
  if (!range || !ranges || !(body instanceof Uint8Array) || status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
    return
  }
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
  const contentRange = `bytes ${first}-${last}/${bytes.length}`
  response.writeHead(206, { 'content-range': contentRange, ...headers }).end(bytes.subarray(first, last + 1))
}

/** A STAC item of a square at 10° east, with one COG and a thumbnail beside it. */
export const stacItem = (id: string, datetime: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  collection: 'scenes',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [10, 50],
        [11, 50],
        [11, 51],
        [10, 51],
        [10, 50],
      ],
    ],
  },
  bbox: [10, 50, 11, 51],
  properties: { datetime, 'eo:cloud_cover': 7, gsd: 10 },
  links: [],
  assets: {
    visual: {
      href: `${id}.tif`,
      type: 'image/tiff; application=geotiff; profile=cloud-optimized',
      roles: ['data'],
    },
    thumbnail: { href: `${id}.png`, type: 'image/png', roles: ['thumbnail'] },
  },
  ...changes,
})

export const landingPage = (
  url: string,
  { methods = ['GET', 'POST'], conformsTo = ['https://api.stacspec.org/v1.0.0/item-search#sort'] } = {},
) => ({
  type: 'Catalog',
  id: 'test',
  conformsTo,
  links: [
    ...methods.map((method) => ({ rel: 'search', href: `${url}/search`, method, type: 'application/geo+json' })),
    { rel: 'data', href: `${url}/collections` },
  ],
})

export const collectionList = {
  collections: [
    { id: 'scenes', title: 'Scenes', license: 'CC-BY-4.0', summaries: { gsd: [20, 10] }, links: [] },
    { id: 'radar', license: 'proprietary', summaries: { 'sar:product_type': ['GRD'] }, links: [] },
  ],
  links: [],
}
