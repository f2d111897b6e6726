import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import type { SafeFetch } from '../../../platform/integrations/integrations.ts'
import { createSafeFetch } from '../../../platform/integrations/safe-fetch.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { encodeCog, decodePng, sceneInput } from '../../../../test/rasters.ts'
import { handler as cogThumbnail } from '../operations/cog.thumbnail.ts'
import { handler as cogTileRender } from '../operations/cog.tile.render.ts'

/** Files on well-behaved, broken and malicious servers, through the safe fetcher. */
let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let server: Server
let host: string
let fetch: SafeFetch
let validTiff: Uint8Array
let requests: string[] = []
let etag: string | null = '"one"'
const tile = findTileAt(10.45, 50.52, 14)

type RespondWith = (response: ServerResponse, request: IncomingMessage) => void

const parseRange = ({ headers }: IncomingMessage): [number, number] => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  return [Number(first), Number(last)]
}

/** Serves the requested range of a file. */
const serveRange = (response: ServerResponse, request: IncomingMessage, file: Uint8Array, more: object = {}): void => {
  const [first, last] = parseRange(request)
  const body = file.subarray(first, last + 1)
  const etagHeader = etag === null ? {} : { etag }
  const range = `bytes ${first}-${first + body.length - 1}/${file.length}`
  response.writeHead(206, { 'content-range': range, 'content-length': body.length, ...etagHeader, ...more }).end(body)
}

const encodeText = (body: string): Uint8Array => new TextEncoder().encode(body.padEnd(4096))
/** A chain of directories, each in its own page: a header that never ends. */
const scatteredTiff = ((): Uint8Array => {
  const file = Buffer.alloc(12 * 1024 * 1024)
  file.write('II*\0', 'latin1')
  for (let at = 4, responder = 1; responder < 300; responder++) {
    const next = responder * 40_000
    file.writeUInt32LE(next, at)
    file.writeUInt16LE(1, next)
    at = next + 14
  }
  return file
})()

const redirect =
  (to: string): RespondWith =>
  (response) =>
    response.writeHead(302, { location: to }).end()

const dripBytes = (response: ServerResponse): void => {
  response.writeHead(206, { 'content-range': 'bytes 0-32767/100000', 'content-length': 32768 })
  const timer = setInterval(() => response.write('I'), 20)
  response.once('close', () => clearInterval(timer))
}

const floodBytes = (response: ServerResponse): void => {
  response.writeHead(206, { 'content-range': 'bytes 0-32767/100000' })
  const chunk = Buffer.alloc(65_536)
  const writeChunks = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', writeChunks)
  }
  writeChunks()
}

const responders: Readonly<Record<string, RespondWith>> = {
  '/good.tif': (response, request) => serveRange(response, request, validTiff),
  '/vrt.tif': (response, request) =>
    serveRange(
      response,
      request,
      encodeText(
        `<VRTDataset rasterXSize="9" rasterYSize="9"><VRTRasterBand><SimpleSource><SourceFilename>${host}/inside.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>`,
      ),
    ),
  '/bomb.xml': (response, request) =>
    serveRange(
      response,
      request,
      encodeText('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
    ),
  '/page.html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
  '/cut.tif': (response, request) => serveRange(response, request, validTiff.subarray(0, 300)),
  '/scattered.tif': (response, request) => serveRange(response, request, scatteredTiff),
  // Its only directory links to itself.
  '/cycle.tif': (response, request) =>
    serveRange(response, request, Uint8Array.of(73, 73, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0)),
  '/whole.tif': (response) => response.writeHead(200, { 'content-length': validTiff.length }).end(validTiff),
  '/zipped.tif': (response, request) => serveRange(response, request, validTiff, { 'content-encoding': 'gzip' }),
  '/lies.tif': (response, request) => {
    const [first] = parseRange(request)
    const range = `bytes ${first}-${first + 32767}/900000`
    response.writeHead(206, { 'content-range': range, 'content-length': 32768 }).end('II*\0')
  },
  '/elsewhere.tif': (response) => response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('IIIII'),
  '/drip.tif': dripBytes,
  '/flood.tif': floodBytes,
  '/silent.tif': () => undefined,
  '/broken.tif': (response) => response.destroy(),
  '/loop.tif': redirect('/loop.tif'),
  '/to-file.tif': redirect('file:///etc/passwd'),
  '/to-metadata.tif': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-mapped.tif': redirect('https://[::ffff:169.254.169.254]/'),
  '/to-good.tif': redirect('/good.tif'),
}

/** Responses that never come or never end. */
const endless = new Set(['/drip.tif', '/silent.tif', '/lies.tif'])

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  validTiff = await encodeCog(sceneInput)
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`)
    const responder = responders[request.url ?? '']
    if (responder) responder(response, request)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

beforeEach(() => {
  const config = { outside_allow: [host], outside_timeout_ms: 60_000, outside_limit_bytes: 1_000_000 }
  // Names resolve to a private address; each test begins with empty caches. Only endless responses get a short timeout,
  // because the others depend on the load of the machine.
  const safeFetch = createSafeFetch({ config, resolve: async () => [{ address: '10.0.0.7', family: 4 }] })
  const timeout_ms = (url: string): number => (endless.has(new URL(url).pathname) ? 150 : 60_000)
  fetch = (url, options = {}) => safeFetch(url, { ...options, timeout_ms: timeout_ms(url) })
  requests = []
  etag = '"one"'
})

const call = () => ({ ...fixture.owner, integrations: { ...fixture.owner.integrations, fetch } })
const renderUrl = async (url: string, input: object = {}): Promise<BytesResponse> => {
  const read = readCallInput(cogTileRender.operation, { url, ...tile, format: 'png', bands: '1', ...input })
  return (await cogTileRender.handle(call(), read as never)) as BytesResponse
}
const renderThumbnailUrl = (url: string) =>
  cogThumbnail.handle(call(), readCallInput(cogThumbnail.operation, { url }) as never)

const problemNameOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'nothing'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    assert.ok(!/10\.0\.0\.7|ECONN|passwd/.test(error.message), error.message)
    return error.problem
  }
}

test('URLs that are not of a public web server are rejected without a request', async () => {
  const urlsByProblem: Readonly<Record<string, readonly string[]>> = {
    validation: [
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'data:image/tiff;base64,SUkqAA==',
      's3://somebody/secret.tif',
      'gs://somebody/secret.tif',
      'ftp://example.com/a.tif',
      'WMTS:https://example.com/a',
      'vrt://https://example.com/a.tif',
      'https://user:word@example.com/a.tif',
    ],
    // Relative to the base URL, where these paths do not exist.
    'not-found': ['/vsizip/etc/a.zip', '/vsicurl/http://169.254.169.254/', '/etc/passwd', '<VRTDataset></VRTDataset>'],
    forbidden: [
      'http://example.com/a.tif',
      'https://example.com:22/a.tif',
      'https://127.0.0.1/a.tif',
      'https://2130706433/a.tif',
      'https://[::1]/a.tif',
      'https://[::ffff:10.0.0.1]/a.tif',
      'https://[fe80::1]/a.tif',
      'https://169.254.169.254/latest/meta-data/',
      'https://metadata.google.internal/a.tif',
      'https://localhost/a.tif',
      // The name resolves to a private address.
      'https://scenes.example.com/a.tif',
    ],
  }
  for (const [problem, urls] of Object.entries(urlsByProblem)) {
    for (const url of urls) {
      assert.equal(await problemNameOf(renderUrl(url)), problem, url)
      assert.equal(await problemNameOf(renderThumbnailUrl(url)), problem, url)
    }
  }
  assert.deepEqual(requests, [])
})

test('malicious servers end in a problem after few requests and little time', async () => {
  const problemByPath: Readonly<Record<string, string>> = {
    '/vrt.tif': 'unsupported-raster',
    '/bomb.xml': 'unsupported-raster',
    '/page.html': 'upstream',
    '/cut.tif': 'unsupported-raster',
    '/cycle.tif': 'unsupported-raster',
    '/scattered.tif': 'budget-exceeded',
    '/whole.tif': 'upstream',
    '/zipped.tif': 'upstream',
    '/lies.tif': 'upstream',
    '/elsewhere.tif': 'upstream',
    '/drip.tif': 'upstream',
    '/flood.tif': 'upstream',
    '/silent.tif': 'upstream',
    '/broken.tif': 'upstream',
    '/missing.tif': 'upstream',
    '/loop.tif': 'forbidden',
    '/to-file.tif': 'forbidden',
    '/to-metadata.tif': 'forbidden',
    '/to-mapped.tif': 'forbidden',
  }
  for (const [path, problem] of Object.entries(problemByPath)) {
    requests = []
    assert.equal(await problemNameOf(renderUrl(host + path)), problem, path)
    assert.ok(
      requests.length <= 101 && requests.every((line) => line.includes(` ${path} `)),
      `${path}: ${requests.join('; ')}`,
    )
    assert.equal(await problemNameOf(renderThumbnailUrl(host + path)), problem, path)
  }
  assert.ok(decodePng((await renderUrl(`${host}/to-good.tif`)).body).data.some((value) => value > 0))
})

test('header and blocks are cached; after a minute only the ETag is revalidated', async () => {
  const url = `${host}/good.tif`
  const first = await renderUrl(url)
  const requests_to_open = requests.length
  await renderUrl(url, { x: tile.x + 1 })
  const requests_so_far = requests.length
  assert.deepEqual((await renderUrl(url)).body, first.body)
  assert.equal(requests.length, requests_so_far, 'the same tile needs no request')
  assert.ok(requests_to_open <= 3 && requests_so_far - requests_to_open <= 2, requests.join('; '))

  app.clock.advance(61_000)
  requests = []
  assert.equal((await renderUrl(url)).headers['etag'], first.headers['etag'])
  assert.deepEqual(requests, ['GET /good.tif bytes=0-0'])
  await renderUrl(url)
  assert.equal(requests.length, 1)

  app.clock.advance(61_000)
  etag = '"two"'
  requests = []
  const other = await renderUrl(url)
  assert.notEqual(other.headers['etag'], first.headers['etag'])
  assert.ok(requests.includes('GET /good.tif bytes=0-32767'), requests.join('; '))

  // Without an ETag there is nothing to revalidate: the file is opened again.
  app.clock.advance(61_000)
  etag = null
  await renderUrl(url)
  app.clock.advance(61_000)
  requests = []
  await renderUrl(url)
  assert.equal(requests[0], 'GET /good.tif bytes=0-32767')
})
