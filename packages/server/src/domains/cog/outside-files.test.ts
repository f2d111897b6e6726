import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import { Problem } from '../../engine/problem.ts'
import { readInput } from '../../engine/read-input.ts'
import type { SafeFetch } from '../../platform/outside/outside.ts'
import { openSafeFetch } from '../../platform/outside/safe-fetch.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { cogBytes, readPng, scene } from '../../../test/rasters.ts'
import { drawCogThumbnail } from './cog.thumbnail.ts'
import { renderCogTile } from './cog.tile.render.ts'

/** Files on well-behaved, broken and malicious servers, through the safe fetcher. */
let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let server: Server
let host: string
let fetch: SafeFetch
let good: Uint8Array
let seen: string[] = []
let etag: string | null = '"one"'
const tile = tileAt(10.45, 50.52, 14)

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const rangeOf = ({ headers }: IncomingMessage): [number, number] => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  return [Number(first), Number(last)]
}

/** Serves the requested range of a file. */
const serve = (response: ServerResponse, request: IncomingMessage, file: Uint8Array, more: object = {}): void => {
  const [first, last] = rangeOf(request)
  const body = file.subarray(first, last + 1)
  const named = etag === null ? {} : { etag }
  const range = `bytes ${first}-${first + body.length - 1}/${file.length}`
  response.writeHead(206, { 'content-range': range, 'content-length': body.length, ...named, ...more }).end(body)
}

const text = (body: string): Uint8Array => new TextEncoder().encode(body.padEnd(4096))
/** A chain of directories, each in its own page: a header that never ends. */
const scattered = ((): Uint8Array => {
  const file = Buffer.alloc(12 * 1024 * 1024)
  file.write('II*\0', 'latin1')
  for (let at = 4, page = 1; page < 300; page++) {
    const next = page * 40_000
    file.writeUInt32LE(next, at)
    file.writeUInt16LE(1, next)
    at = next + 14
  }
  return file
})()

const redirect =
  (to: string): Answer =>
  (response) =>
    response.writeHead(302, { location: to }).end()

const drip = (response: ServerResponse): void => {
  response.writeHead(206, { 'content-range': 'bytes 0-32767/100000', 'content-length': 32768 })
  const timer = setInterval(() => response.write('I'), 20)
  response.once('close', () => clearInterval(timer))
}

const flood = (response: ServerResponse): void => {
  response.writeHead(206, { 'content-range': 'bytes 0-32767/100000' })
  const piece = Buffer.alloc(65_536)
  const pour = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}

const pages: Readonly<Record<string, Answer>> = {
  '/good.tif': (response, request) => serve(response, request, good),
  '/vrt.tif': (response, request) =>
    serve(
      response,
      request,
      text(
        `<VRTDataset rasterXSize="9" rasterYSize="9"><VRTRasterBand><SimpleSource><SourceFilename>${host}/inside.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>`,
      ),
    ),
  '/bomb.xml': (response, request) =>
    serve(response, request, text('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><a>&c;</a>')),
  '/page.html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
  '/cut.tif': (response, request) => serve(response, request, good.subarray(0, 300)),
  '/scattered.tif': (response, request) => serve(response, request, scattered),
  // Its only directory links to itself.
  '/cycle.tif': (response, request) =>
    serve(response, request, Uint8Array.of(73, 73, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0)),
  '/whole.tif': (response) => response.writeHead(200, { 'content-length': good.length }).end(good),
  '/zipped.tif': (response, request) => serve(response, request, good, { 'content-encoding': 'gzip' }),
  '/lies.tif': (response, request) => {
    const [first] = rangeOf(request)
    const range = `bytes ${first}-${first + 32767}/900000`
    response.writeHead(206, { 'content-range': range, 'content-length': 32768 }).end('II*\0')
  },
  '/elsewhere.tif': (response) => response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('IIIII'),
  '/drip.tif': drip,
  '/flood.tif': flood,
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
  house = await openHoldings()
  world = await house.organize()
  good = await cogBytes(scene)
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`)
    const page = pages[request.url ?? '']
    if (page) page(response, request)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await house.close()
})

beforeEach(() => {
  const config = { outside_allow: [host], outside_timeout_ms: 60_000, outside_limit_bytes: 1_000_000 }
  // Names resolve to a private address; each test begins with empty caches. Only endless responses get a short timeout,
  // because the others depend on the load of the machine.
  const guarded = openSafeFetch({ config, resolve: async () => [{ address: '10.0.0.7', family: 4 }] })
  const timeout_ms = (url: string): number => (endless.has(new URL(url).pathname) ? 150 : 60_000)
  fetch = (url, options = {}) => guarded(url, { ...options, timeout_ms: timeout_ms(url) })
  seen = []
  etag = '"one"'
})

const call = () => ({ ...world.owner, outside: { ...world.owner.outside, fetch } })
const draw = async (url: string, input: object = {}): Promise<BytesAnswer> => {
  const read = readInput(renderCogTile.operation, { url, ...tile, format: 'png', bands: '1', ...input })
  return (await renderCogTile.answer(call(), read as never)) as BytesAnswer
}
const shrink = (url: string) => drawCogThumbnail.answer(call(), readInput(drawCogThumbnail.operation, { url }) as never)

const problemOf = async (work: Promise<unknown>): Promise<string> => {
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
  const refused: Readonly<Record<string, readonly string[]>> = {
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
  for (const [problem, urls] of Object.entries(refused)) {
    for (const url of urls) {
      assert.equal(await problemOf(draw(url)), problem, url)
      assert.equal(await problemOf(shrink(url)), problem, url)
    }
  }
  assert.deepEqual(seen, [])
})

test('malicious servers end in a problem after few requests and little time', async () => {
  const ends: Readonly<Record<string, string>> = {
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
  for (const [path, problem] of Object.entries(ends)) {
    seen = []
    assert.equal(await problemOf(draw(host + path)), problem, path)
    assert.ok(seen.length <= 101 && seen.every((line) => line.includes(` ${path} `)), `${path}: ${seen.join('; ')}`)
    assert.equal(await problemOf(shrink(host + path)), problem, path)
  }
  assert.ok(readPng((await draw(`${host}/to-good.tif`)).body).data.some((value) => value > 0))
})

test('header and blocks are cached; after a minute only the ETag is revalidated', async () => {
  const url = `${host}/good.tif`
  const first = await draw(url)
  const opened = seen.length
  await draw(url, { x: tile.x + 1 })
  const known = seen.length
  assert.deepEqual((await draw(url)).body, first.body)
  assert.equal(seen.length, known, 'the same tile needs no request')
  assert.ok(opened <= 3 && known - opened <= 2, seen.join('; '))

  house.clock.advance(61_000)
  seen = []
  assert.equal((await draw(url)).headers['etag'], first.headers['etag'])
  assert.deepEqual(seen, ['GET /good.tif bytes=0-0'])
  await draw(url)
  assert.equal(seen.length, 1)

  house.clock.advance(61_000)
  etag = '"two"'
  seen = []
  const other = await draw(url)
  assert.notEqual(other.headers['etag'], first.headers['etag'])
  assert.ok(seen.includes('GET /good.tif bytes=0-32767'), seen.join('; '))

  // Without an ETag there is nothing to revalidate: the file is opened again.
  house.clock.advance(61_000)
  etag = null
  await draw(url)
  house.clock.advance(61_000)
  seen = []
  await draw(url)
  assert.equal(seen[0], 'GET /good.tif bytes=0-32767')
})
