import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { Problem } from '../../engine/problem.ts'
import { openDiskBlobStore, type DiskBlobStore } from '../../platform/blobs/disk.ts'
import { createManualClock, type ManualClock } from '../../platform/clock.ts'
import { registerSignedBlobRoutes } from './signed-blob-routes.ts'

const keys = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)] as const
const oldKeys = [keys[1]] as const
const limit_bytes = 1_000_000

let app: FastifyInstance
let blobs: DiskBlobStore
let oldBlobs: DiskBlobStore
let clock: ManualClock
let folder: string
let base: string
const sent: [string, number][] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-blob-routes-'))
  clock = createManualClock(new Date('2026-01-01T00:00:00Z'))
  blobs = await openDiskBlobStore({ folder, clock, keys })
  oldBlobs = await openDiskBlobStore({ folder, clock, keys: oldKeys })
  app = Fastify()
  registerSignedBlobRoutes(app, {
    blobs,
    keys,
    clock,
    upload_limit_bytes: limit_bytes,
    admitPut: async ({ path }, when) => {
      if (path.includes(`/ended-at-${when}/`)) throw new Problem('gone-expired', 'The session has expired.')
    },
    onSent: ({ path }, bytes) => sent.push([path, bytes]),
    baseUrlOf: () => 'https://swath.example',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  await blobs.putBytes('org-1/items/a/data.tif', Buffer.from('0123456789'), 'image/tiff')
  await blobs.putBytes('org-2/items/b/data.tif', Buffer.from('secret'), 'image/tiff')
})

after(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const signGet = async (path = 'org-1/items/a/data.tif', expires_s = 900, store = blobs): Promise<string> =>
  (await store.signGet(path, { expires_s, file_name: 'Scene 1.tif', media_type: 'image/tiff; x=y', base })).url

const signPut = async (path: string, expires_s = 900): Promise<string> =>
  (await blobs.signPut(path, { expires_s, media_type: 'image/tiff', base })).url

/** Sends the request target unchanged; `fetch` would normalize it. */
async function sendRaw(target: string, method = 'GET'): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo
  const call = httpRequest({ port, host: '127.0.0.1', path: target, method })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

/**
 * Waits for so many reports of bytes sent of an object, and returns all that there are. A report comes some time after the client has
 * the response, on a busy machine during the next test: so a test that counts them has an object of its own.
 */
async function waitForSent(path: string, count: number): Promise<number[]> {
  const list = (): number[] => sent.filter(([sentPath]) => sentPath === path).map(([, bytes]) => bytes)
  for (let round = 0; round < 1000 && list().length < count; round += 1) await sleep(10)
  return list()
}

const targetOf = (url: string): string => url.slice(base.length)

test('a signed URL serves the whole object with the headers that clients need', async () => {
  const answer = await fetch(await signGet())
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), '0123456789')
  const header = (name: string): string | null => answer.headers.get(name)
  assert.equal(header('content-type'), 'image/tiff; x=y')
  assert.equal(header('content-length'), '10')
  assert.equal(header('accept-ranges'), 'bytes')
  assert.equal(header('content-disposition'), `attachment; filename="Scene 1.tif"; filename*=UTF-8''Scene%201.tif`)
  assert.equal(header('access-control-allow-origin'), '*')
  assert.equal(header('referrer-policy'), 'no-referrer')
  assert.match(header('content-security-policy') ?? '', /sandbox/)
  assert.equal(header('cache-control'), 'private, max-age=900')
  assert.match(header('etag') ?? '', /^"[0-9a-f]{64}"$/)
})

test('If-Match returns the object that it names, and 412 with the present entity tag for any other', async () => {
  const url = await signGet()
  const request = (ifMatch: string, method = 'GET') =>
    fetch(url, { method, headers: { 'if-match': ifMatch, range: 'bytes=2-4' } })
  const first = await fetch(url, { method: 'HEAD' })
  const etag = first.headers.get('etag')!
  for (const header of [etag, `"other", ${etag}`, '*'])
    assert.equal(await (await request(header)).text(), '234', header)
  const refused = await request('"other"')
  assert.equal(refused.status, 412)
  const { type, etag: present } = (await refused.json()) as { type: string; etag: string }
  assert.match(type, /precondition-failed$/)
  assert.equal(present, etag)
  assert.equal((await request('"other"', 'HEAD')).status, 412)
})

test('HEAD has the same headers and no body', async () => {
  const path = 'org-1/items/head/data.tif'
  await blobs.putBytes(path, Buffer.from('0123456789'), 'image/tiff')
  const url = await signGet(path)
  const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), '10')
  assert.equal(head.headers.get('etag'), get.headers.get('etag'))
  assert.equal(await head.text(), '')
  await get.text()
  assert.deepEqual(await waitForSent(path, 1), [10])
})

test('serves one range, responds with 416 to an unsatisfiable one, ignores several', async () => {
  const url = await signGet()
  const ask = (range: string): Promise<Response> => fetch(url, { headers: { range } })
  const part = await ask('bytes=2-4')
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), 'bytes 2-4/10')
  assert.equal(part.headers.get('content-length'), '3')
  assert.equal(await part.text(), '234')
  assert.equal(await (await ask('bytes=-2')).text(), '89')
  assert.equal(await (await ask('bytes=7-')).text(), '789')

  const unsatisfiable = await ask('bytes=10-')
  assert.equal(unsatisfiable.status, 416)
  assert.equal(unsatisfiable.headers.get('content-range'), 'bytes */10')
  assert.match(unsatisfiable.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(((await unsatisfiable.json()) as { status: number }).status, 416)

  const several = await ask('bytes=0-1,4-5')
  assert.equal(several.status, 200)
  assert.equal(await several.text(), '0123456789')
})

test('responds with 304 to a matching If-None-Match, and ignores a range with another If-Range', async () => {
  const path = 'org-1/items/conditional/data.tif'
  await blobs.putBytes(path, Buffer.from('0123456789'), 'image/tiff')
  const url = await signGet(path)
  const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
  const again = await fetch(url, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
  const conditions = [
    [{ 'if-none-match': '"other"' }, 200, '0123456789'],
    [{ range: 'bytes=0-1', 'if-range': etag }, 206, '01'],
    [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200, '0123456789'],
  ] as const
  for (const [headers, status, body] of conditions) {
    const answer = await fetch(url, { headers })
    assert.deepEqual([answer.status, await answer.text()], [status, body])
  }
  // None of the 304.
  assert.deepEqual(
    (await waitForSent(path, 3)).toSorted((left, right) => left - right),
    [2, 10, 10],
  )
})

test('rejects every change of a signed URL and every other spelling of its path', async () => {
  const url = await signGet()
  const target = targetOf(url)
  const query = target.slice(target.indexOf('?'))
  const changedTargets = [
    target.replace('org-1/items/a', 'org-2/items/b'),
    target.replace('/blobs/org-1', '/blobs/x/../org-1'),
    target.replace('/blobs/org-1', '/blobs/./org-1'),
    target.replace('/blobs/org-1', '/blobs//org-1'),
    target.replace('org-1', 'org%2d1'),
    target.replace('org-1/', 'org-1%2f'),
    target.replace('org-1', 'org%252d1'),
    target.replace('data.tif', 'DATA.tif'),
    target.replace('data.tif', 'data.tif/'),
    target.replace('data.tif', 'data.tif%00'),
    target.replace(/expires=\d+/, 'expires=9999999999'),
    target.replace(/file_name=[^&]+/, 'file_name=virus.exe'),
    target.replace(/media_type=[^&]+/, 'media_type=text%2Fhtml'),
    target.replace(/key_id=[^&]+/, 'key_id=none'),
    target.replace(/signature=[^&]+/, 'signature='),
    target.replace(/&signature=[^&]+/, ''),
    target.replace(/signature=(.)/, (_, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`),
    target.replace('method=GET', 'method=PUT'),
    `${target}&expires=9999999999`,
    `/blobs/org-2/items/b/data.tif${query}`,
    `/blobs/org-1/items/a/data.tif`,
    `/blobs/${query}`,
  ]
  for (const other of changedTargets) {
    const answer = await sendRaw(other)
    assert.equal(answer.statusCode, 403, other)
  }
  assert.equal((await sendRaw(target)).statusCode, 200)
  const answer = await fetch(base + changedTargets[0]!)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(((await answer.json()) as { type: string }).type, 'https://swath.example/problems/forbidden')
})

test('an expired URL is 410, a forged one 403', async () => {
  const url = await signGet(undefined, 60)
  clock.advance(59_000)
  assert.equal((await fetch(url)).status, 200)
  clock.advance(1000)
  const late = await fetch(url)
  assert.equal(late.status, 410)
  assert.equal(((await late.json()) as { type: string }).type, 'https://swath.example/problems/gone-expired')
  assert.equal((await fetch(url.replace('org-1', 'org-2'))).status, 403)
})

test('verifies URLs signed with an older key, rejects those of a foreign key', async () => {
  assert.equal((await fetch(await signGet(undefined, 900, oldBlobs))).status, 200)
  const foreignBlobs = await openDiskBlobStore({ folder, clock, keys: [new Uint8Array(32).fill(3)] })
  assert.equal((await fetch(await signGet(undefined, 900, foreignBlobs))).status, 403)
})

test('a missing or deleted object is 404', async () => {
  await blobs.putBytes('org-1/items/gone/data.tif', Buffer.from('x'), 'image/tiff')
  const url = await signGet('org-1/items/gone/data.tif')
  assert.equal((await fetch(url)).status, 200)
  await blobs.delete('org-1/items/gone/data.tif')
  const gone = await fetch(url)
  assert.equal(gone.status, 404)
  assert.equal(((await gone.json()) as { type: string }).type, 'https://swath.example/problems/not-found')
})

test('PUT stores the body with the signed media type, once per URL', async () => {
  const url = await signPut('org-1/uploads/u1/file.tif')
  const put = await fetch(url, { method: 'PUT', body: 'a new file', headers: { 'content-type': 'image/tiff' } })
  assert.equal(put.status, 200)
  const metadata = await blobs.head('org-1/uploads/u1/file.tif')
  assert.equal(metadata?.size, 10)
  assert.equal(metadata?.media_type, 'image/tiff')
  assert.equal(put.headers.get('etag'), `"${metadata?.etag}"`)

  const other = { method: 'PUT', body: '<script>', headers: { 'content-type': 'text/html' } }
  assert.equal((await fetch(url, other)).status, 403)
  assert.equal((await fetch(await signGet(), { method: 'PUT', body: 'x' })).status, 403)
  assert.equal((await fetch(url)).status, 403)
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 404)
})

test('a PUT beyond the limit stores nothing, with or without Content-Length', async () => {
  const url = await signPut('org-1/uploads/u2/file.tif')
  const headers = { 'content-type': 'image/tiff' }
  const withLength = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(limit_bytes + 1) })
  assert.equal(withLength.status, 413)
  const bodyWithoutLength = new ReadableStream({
    start(controller) {
      for (let round = 0; round < 11; round += 1) controller.enqueue(new Uint8Array(100_000))
      controller.close()
    },
  })
  const init = { method: 'PUT', headers, body: bodyWithoutLength, duplex: 'half' } as RequestInit
  assert.equal((await fetch(url, init)).status, 413)
  assert.equal(await blobs.head('org-1/uploads/u2/file.tif'), null)
})

test('a connection serves the next request after a PUT that was too large', async () => {
  const url = new URL(await signPut('org-1/uploads/u4/file.tif'))
  const socket = connect(Number(url.port), '127.0.0.1')
  const length = 3 * limit_bytes
  socket.write(
    `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/tiff\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`,
  )
  socket.write(`GET ${targetOf(await signGet())} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  let received = ''
  for await (const part of socket) received += String(part)
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200'])
  assert.ok(received.endsWith('0123456789'))
})

test('an incomplete PUT stores nothing', async () => {
  const url = new URL(await signPut('org-1/uploads/u3/file.tif'))
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.write(
    `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/tiff\r\nContent-Length: 100\r\n\r\nhalf`,
  )
  await sleep(50)
  socket.destroy()
  await sleep(50)
  assert.equal(await blobs.head('org-1/uploads/u3/file.tif'), null)
})

test('reports the bytes sent: of a whole object, a range, or an aborted download', async () => {
  const size = 32 * 1024 * 1024
  const path = 'org-1/items/large/data.tif'
  await blobs.putBytes(path, new Uint8Array(size), 'image/tiff')
  const url = await signGet(path)
  assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, size)
  await (await fetch(url, { headers: { range: 'bytes=100-299' } })).arrayBuffer()
  assert.deepEqual(await waitForSent(path, 2), [size, 200])

  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET ${targetOf(url)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'data')
  socket.destroy()
  const [, , aborted, ...more] = await waitForSent(path, 3)
  assert.deepEqual(more, [])
  assert.ok(aborted !== undefined && aborted > 0 && aborted < size, String(aborted))
})

test('responds to CORS preflight requests', async () => {
  const answer = await fetch(await signGet(), { method: 'OPTIONS' })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.match(answer.headers.get('access-control-allow-headers') ?? '', /Range/)
  const preflightResponse = await fetch(await signGet(), {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'content-md5,range' },
  })
  assert.equal(preflightResponse.headers.get('access-control-allow-headers'), 'content-md5,range')
})

test('a PUT that is not authorized is rejected before its body is read, or its object is deleted afterwards', async () => {
  for (const when of ['begin', 'end']) {
    const path = `org-1/uploads/ended-at-${when}/data.tif`
    const headers = { 'content-type': 'image/tiff' }
    const response = await fetch(await signPut(path), { method: 'PUT', headers, body: 'late bytes' })
    assert.equal(response.status, 410, when)
    assert.match(((await response.json()) as { type: string }).type, /gone-expired$/)
    assert.equal(await blobs.head(path), null, when)
  }
})
