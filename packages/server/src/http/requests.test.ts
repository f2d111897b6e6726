import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import { administratorCredentials, startTestApp, type TestApp } from '../../test/test-app.ts'
import { createTokenSource } from '@swath/client/tokens.ts'

let app: TestApp
let token: string
before(async () => {
  app = await startTestApp()
  token = await createTokenSource(app.url, administratorCredentials)()
})
after(() => app?.close())

const call = (
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer> | null,
  path = '/v1/op/projects.list',
) => fetch(`${app.url}${path}`, { method: 'POST', body, headers: { authorization: `Bearer ${token}`, ...headers } })

const problemOf = async (response: Response): Promise<unknown> => {
  const { type, status } = (await response.json()) as { type: string; status: number }
  return [status, type.split('/').at(-1)]
}

test('a path that has other methods says which', async () => {
  const rows: readonly [method: string, path: string, allow: string][] = [
    ['DELETE', '/v2/orders', 'GET, HEAD, POST'],
    ['PUT', '/v1/op/projects.list', 'GET, HEAD, POST'],
    ['GET', '/v1/op/projects.create', 'POST'],
    ['PATCH', '/openapi.json', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of rows) {
    const response = await fetch(`${app.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.headers.get('allow'), allow, path)
    assert.deepEqual(await problemOf(response), [405, 'method-not-allowed'])
  }
  assert.deepEqual(await problemOf(await fetch(`${app.url}/nowhere`, { method: 'PUT' })), [404, 'unknown-operation'])
})

test('a body that is not JSON is refused by its type; null is no object', async () => {
  const rows: readonly [type: string | null, body: string, status: number][] = [
    ['application/json', '{}', 200],
    ['application/json; charset=utf-8', '{}', 200],
    ['application/geo+json', '{}', 200],
    ['application/x-www-form-urlencoded', '{}', 200],
    [null, '', 200],
    ['text/plain;charset=UTF-8', '{}', 200],
    ['text/html', '{}', 415],
    ['text/html', '', 200],
    ['multipart/form-data; boundary=a', '--a--', 415],
    ['application/xml', '<a/>', 415],
    ['application/jsonp', '{}', 415],
    ['application/json', 'null', 422],
    ['application/json', '[]', 422],
  ]
  for (const [type, body, status] of rows) {
    const response = await call(type === null ? {} : { 'content-type': type }, body)
    assert.equal(response.status, status, `${type} ${body}`)
  }
})

test('bodies are decoded, within the limit of a body', async () => {
  const body = Buffer.from(JSON.stringify({ limit: 1 }))
  const encoders = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
  }
  const json = { 'content-type': 'application/json' }
  for (const [coding, encode] of Object.entries(encoders)) {
    const encoded = new Uint8Array(encode(body))
    const headers = { ...json, 'content-encoding': coding }
    assert.equal((await call(headers, encoded)).status, 200, coding)
    assert.deepEqual(await problemOf(await call(headers, new Uint8Array(body))), [400, 'malformed'], coding)
    assert.deepEqual(await problemOf(await call(headers, encoded.slice(0, -3))), [400, 'malformed'], coding)
    const bomb = new Uint8Array(encode(Buffer.alloc(24 * 1024 * 1024, ' ')))
    assert.deepEqual(await problemOf(await call(headers, bomb)), [413, 'too-large'], coding)
  }
  const response = await call({ ...json, 'content-encoding': 'compress' }, new Uint8Array(body))
  assert.equal(response.headers.get('accept-encoding'), 'gzip, deflate, br, zstd')
  assert.deepEqual(await problemOf(response), [415, 'unsupported-media-type'])
})

test('the OpenAPI document is compressed, and not sent again to whoever has it', async () => {
  const first = await fetch(`${app.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(first.headers.get('content-encoding'), 'gzip')
  const etag = first.headers.get('etag')!
  assert.equal(((await first.json()) as { openapi: string }).openapi.slice(0, 3), '3.1')
  const again = await fetch(`${app.url}/openapi.json`, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.headers.get('etag')], [304, etag.replace('W/', '')])
})

test('headers that are too large are answered with 431', async () => {
  const { hostname, port } = new URL(app.url)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /healthz HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
  assert.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n[\s\S]*"status":431/)
})

test('routes of standards say what is wrong as a text, and list it in `errors`', async () => {
  for (const path of ['/assets/stac/search?limit=x', '/processing/jobs?limit=x', '/stapi/orders?limit=x']) {
    const response = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const { detail, errors } = (await response.json()) as { detail: unknown; errors: { path: string }[] }
    assert.ok(typeof detail === 'string' && detail.includes('limit'), `${path}: ${String(detail)}`)
    assert.deepEqual(
      errors.map(({ path: field }) => field),
      ['limit'],
    )
  }
})

test('every error of a map service is an exception report', async () => {
  const item = '01890a5d-ac96-774b-bcce-b302099a8057'
  const rows: readonly [path: string, status: number, code: string][] = [
    [`/api/v1/items/${item}/tiles/wmts?service=WMTS&request=GetCapabilities`, 404, 'NoApplicableCode'],
    [`/api/v1/items/${item}/tiles/wmts?service=WMTS&request=Draw`, 501, 'OperationNotSupported'],
    [`/api/v1/items/${item}/tiles/wmts/0/0/9.png`, 400, 'InvalidParameterValue'],
    [`/api/v1/items/${item}/tiles/WMTSCapabilities.xml`, 404, 'NoApplicableCode'],
  ]
  for (const [path, status, code] of rows) {
    const response = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    assert.equal(response.status, status, `${path} ${text}`)
    assert.match(response.headers.get('content-type') ?? '', /^application\/xml/)
    assert.ok(text.includes(`exceptionCode="${code}"`), text)
  }
  const { headers, status } = await fetch(`${app.url}/api/v1/items/${item}/tiles/WMTSCapabilities.xml`)
  assert.ok(status === 401 && headers.get('www-authenticate')?.startsWith('Bearer'))
})
