import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'
import { createHttpSource } from './http.ts'
import type { HttpSourceOptions } from './http.ts'

const content = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) & 255)

/** The headers and the answer of a test server for its file. */
interface Behaviour {
  file: Uint8Array
  etag: string | null
  modified: string | null
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

let behaviour: Behaviour
const asked: (string | undefined)[] = []
const validators: (string | undefined)[] = []

function rangeOf(request: IncomingMessage, size: number): [first: number, last: number] {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!
  return [Number(first), Math.min(Number(last), size - 1)]
}

/** As RFC 9110 has it, with If-Range. */
function answerRange(request: IncomingMessage, response: ServerResponse): void {
  const { file, etag, modified } = behaviour
  if (etag !== null) response.setHeader('etag', etag)
  if (modified !== null) response.setHeader('last-modified', modified)
  const condition = request.headers['if-range']
  if (condition !== undefined && condition !== (etag ?? modified)) return answerWhole(request, response)
  const [first, last] = rangeOf(request, file.length)
  if (first >= file.length) {
    response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end()
    return
  }
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${file.length}`,
    'content-length': last - first + 1,
  })
  response.end(file.subarray(first, last + 1))
}

function answerWhole(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': behaviour.file.length }).end(behaviour.file)
}

/** A 206 with a Content-Range header and a body of `bytes` bytes. */
const answerAs =
  (contentRange: string | null, bytes: number, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(206, { ...(contentRange === null ? {} : { 'content-range': contentRange }), ...headers })
    response.end(new Uint8Array(bytes))
  }

const server = createServer((request, response) => {
  asked.push(request.headers.range?.replace('bytes=', ''))
  validators.push(request.headers['if-range']?.toString())
  behaviour.answer(request, response)
})
let url = ''
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scene.tif`
})
after(() => server.closeAllConnections())
after(() => server.close())
beforeEach(() => {
  behaviour = { file: content, etag: '"one"', modified: null, answer: answerRange }
  asked.length = 0
  validators.length = 0
})

const open = (options?: HttpSourceOptions): RasterByteSource => createHttpSource(url, fetch, options)
const failsBy = (kind: string, says?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RasterFailure, String(error))
  assert.equal(error.kind, kind, error.message)
  if (says) assert.match(error.message, says)
  return true
}

async function check(source: RasterByteSource, offset: number, length: number): Promise<void> {
  const bytes = await source.read(offset, length)
  assert.equal(Buffer.compare(bytes, behaviour.file.subarray(offset, offset + length)), 0, `${length} from ${offset}`)
}

test('the first read fetches and stores 32 KiB, every other one exactly the requested range', async () => {
  const source = open()
  assert.equal(source.size, undefined)
  await check(source, 0, 8)
  assert.deepEqual([source.size, source.etag], [300_000, '"one"'])
  await check(source, 8, 32_760)
  await check(source, 100, 5)
  assert.deepEqual(asked, ['0-32767'])
  await check(source, 32_760, 20)
  await check(source, 299_990, 100)
  await check(source, 300_000, 100)
  await check(source, 0, 40_000)
  assert.deepEqual(asked, ['0-32767', '32760-32779', '299990-299999', '0-39999'])
  assert.deepEqual(validators, [undefined, '"one"', '"one"', '"one"'])
})

test('a first read of another size, and one that does not begin at the beginning', async () => {
  const large = open({ first_read_bytes: 65_536 })
  await check(large, 0, 32_768)
  await check(large, 32_768, 32_768)
  await check(open(), 100_000, 10)
  await check(open(), 0, 50_000)
  assert.deepEqual(asked, ['0-65535', '100000-100009', '0-49999'])
})

test('a short file is known whole after one request', async () => {
  behaviour.file = content.subarray(0, 1000)
  const source = open()
  await check(source, 0, 8)
  await check(source, 500, 5000)
  await check(source, 1000, 1)
  assert.deepEqual(asked, ['0-32767'])
  behaviour.file = new Uint8Array(0)
  const empty = open()
  await check(empty, 0, 8)
  assert.equal(empty.size, 0)
})

test('416 says where the file ends', async () => {
  const source = open()
  await check(source, 400_000, 10)
  assert.equal(source.size, 300_000)
  behaviour.answer = (_, response) => void response.writeHead(416).end()
  await check(open(), 400_000, 10)
  await assert.rejects(source.read(10, 10), failsBy('source', /no byte 10/))
  behaviour.answer = (_, response) => void response.writeHead(416, { 'content-range': 'bytes */300000' }).end()
  await assert.rejects(open().read(10, 10), failsBy('source', /refuses/))
})

test('a server without ranges sends a short file whole, once', async () => {
  behaviour.answer = answerWhole
  const source = open()
  await check(source, 1000, 10)
  await check(source, 0, 300_000)
  await check(source, 299_999, 10)
  assert.equal(asked.length, 1)
  assert.equal(source.size, 300_000)
  await assert.rejects(open({ whole_limit_bytes: 299_999 }).read(0, 10), failsBy('source', /no ranges/))
  behaviour.answer = (_, response) => void response.writeHead(200).end(content)
  await assert.rejects(open({ whole_limit_bytes: 299_999 }).read(0, 10), failsBy('source', /more than 299999/))
  await check(open({ whole_limit_bytes: 300_000 }), 5, 10)
})

test('a file that changes under way ends by name, whatever tells of it', async () => {
  const changes: [before: Partial<Behaviour>, after: Partial<Behaviour>][] = [
    [{}, { etag: '"two"' }],
    [{ etag: 'W/"one"' }, { etag: 'W/"two"' }],
    [{ etag: null, modified: 'Fri, 24 May 2013 00:00:00 GMT' }, { modified: 'Sat, 25 May 2013 00:00:00 GMT' }],
    [{ etag: null }, { file: content.subarray(0, 299_999) }],
    [{}, { etag: '"two"', file: content.subarray(0, 10) }],
    // A server that does not know If-Range.
    [{}, { answer: answerAs('bytes 50000-50009/300000', 10, { etag: '"two"' }) }],
    [{}, { answer: answerAs('bytes 50000-50009/300001', 10) }],
  ]
  for (const [first, then] of changes) {
    behaviour = { file: content, etag: '"one"', modified: null, answer: answerRange, ...first }
    const source = open()
    await check(source, 0, 8)
    Object.assign(behaviour, then)
    await assert.rejects(source.read(50_000, 10), failsBy('source', /changed/))
    assert.equal(source.size, 300_000)
  }
})

test('a header that a response leaves out is not a change', async () => {
  for (const headers of [{}, { etag: 'W/"one"' }] as Record<string, string>[]) {
    behaviour.answer = answerRange
    const source = open()
    await check(source, 0, 8)
    behaviour.answer = answerAs('bytes 50000-50009/*', 10, headers)
    assert.equal((await source.read(50_000, 10)).length, 10)
  }
  assert.ok(validators.includes('"one"'))
})

test('only the requested range is read, and no byte more', async () => {
  const wrong: [answer: Behaviour['answer'], says: RegExp][] = [
    [answerAs(null, 10), /answered nothing/],
    [answerAs('bytes 0-9/300000', 10), /asked for bytes 50000-50009 and answered bytes 0-9/],
    [answerAs('bytes 50000-50010/300000', 11), /answered/],
    [answerAs('bytes 50000-50008/300000', 9), /answered/],
    [answerAs('bytes 50000-50008/*', 9), /answered/],
    [answerAs('bytes 50000-50009/50005', 10), /answered/],
    [answerAs('bytes 50000-50009/99999999999999999999', 10), /answered/],
    [answerAs('bytes 50000-50009/300000', 11), /more than 10 bytes/],
    [answerAs('bytes 50000-50009/300000', 9), /9 bytes of 10/],
    [answerAs('bytes 50000-50009/300000', 10, { 'content-encoding': 'gzip' }), /compressed/],
    [(_, response) => void response.writeHead(404).end('no'), /status 404/],
    [(_, response) => void response.writeHead(503).end(), /status 503/],
    [(request) => void request.socket.destroy(), /could not read bytes 50000 to 50009/],
  ]
  for (const [answer, says] of wrong) {
    behaviour.answer = answer
    await assert.rejects(open().read(50_000, 10), failsBy('source', says))
  }
  const failure = await open()
    .read(1, 1)
    .catch((error: unknown) => error as Error)
  assert.ok(failure instanceof RasterFailure)
  behaviour.answer = (_, response) => void response.writeHead(429).end()
  await assert.rejects(open().read(1, 1), (error: Error) => (error.cause as { status: number }).status === 429)
})

test('a body without end is not read to its end', async () => {
  let sent = 0
  behaviour.answer = (_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 50000-50009/300000' })
    const send = (): void => {
      sent += 65_536
      if (!response.destroyed && response.write(new Uint8Array(65_536))) setImmediate(send)
    }
    response.on('drain', send)
    send()
  }
  await assert.rejects(open().read(50_000, 10), failsBy('source', /more than 10 bytes/))
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(sent < 20_000_000, `${sent} bytes were sent`)
})

test('a read ends when its caller gives up', async () => {
  const controller = new AbortController()
  behaviour.answer = () => controller.abort()
  await assert.rejects(open().read(0, 10, controller.signal), failsBy('cancelled'))
  await assert.rejects(open().read(0, 10, controller.signal), failsBy('cancelled'))
  assert.equal(asked.length, 1)
})

test('invalid and too large ranges are refused before anything is requested', async () => {
  const source = open({ read_limit_bytes: 100_000 })
  await assert.rejects(source.read(-1, 10), failsBy('damaged'))
  await assert.rejects(source.read(2 ** 53, 10), failsBy('damaged'))
  await assert.rejects(source.read(0, 100_001), failsBy('budget'))
  assert.equal((await source.read(10, 0)).length, 0)
  assert.equal(asked.length, 0)
})

test('answers may also come as bytes, from a function that is not fetch', async () => {
  const source = createHttpSource('somewhere', async (address, { headers, limit_bytes }) => {
    assert.equal(address, 'somewhere')
    assert.equal(limit_bytes, 1_048_576)
    assert.equal(headers['accept-encoding'], 'identity')
    const size = content.length
    return {
      status: 206,
      headers: new Headers({ 'content-range': `bytes 0-32767/${size}` }),
      body: content.subarray(0, 32_768),
    }
  })
  await check(source, 0, 100)
})
