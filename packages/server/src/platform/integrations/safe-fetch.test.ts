import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendHttpRequest, createHttpAgents } from './http-request.ts'
import { SafeFetchFailure, type SafeFetchFailureKind, type SafeFetchOptions } from './integrations.ts'
import { createSafeFetch, type ResolveHostName } from './safe-fetch.ts'

const kib = 1024
const file = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The handlers of the test servers, by path. All requests stay on this machine. */
const handlers: Record<string, RequestHandler> = {
  '/plain': (_, response) => void response.end('plain'),
  '/echo': (request, response) => void request.pipe(response),
  '/headers': (request, response) => void response.end(JSON.stringify(request.headers)),
  '/missing': (_, response) => void response.writeHead(404).end('no such file'),
  '/ranges': (request, response) => {
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined) return void response.end(file)
    const start = first === '' ? file.length - Number(last) : Number(first)
    const end = last === '' || first === '' ? file.length - 1 : Math.min(Number(last), file.length - 1)
    if (start >= file.length) return void response.writeHead(416, { 'content-range': 'bytes */1000' }).end('outside')
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end}/${file.length}` })
      .end(file.subarray(start, end + 1))
  },
  '/ranges/shifted': (_, response) =>
    void response.writeHead(206, { 'content-range': 'bytes 5-14/1000' }).end(file.subarray(5, 15)),
  '/ranges/longer': (_, response) =>
    void response.writeHead(206, { 'content-range': 'bytes 0-9/1000' }).end(file.subarray(0, 500)),
  '/ranges/wider': (_, response) =>
    void response.writeHead(206, { 'content-range': 'bytes 0-99/1000' }).end(file.subarray(0, 100)),
  '/ranges/unsaid': (_, response) => void response.writeHead(206).end(file.subarray(0, 10)),
  '/large/told': (_, response) => void response.writeHead(200, { 'content-length': String(1e9) }).write('x'),
  '/large/untold': async (_, response) => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * kib)) !== undefined) await sleep(1)
  },
  '/lying': (_, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort')
  },
  '/slow': async (_, response) => {
    while (!response.destroyed) {
      response.write('.')
      await sleep(30)
    }
  },
  '/silent': () => undefined,
  '/nonsense': (_, response) => void response.socket?.end('this is not HTTP\r\n\r\n'),
  '/redirect/plain': (_, response) => void response.writeHead(302, { location: '/plain' }).end('moved'),
  '/redirect/loop': (_, response) => void response.writeHead(301, { location: '/redirect/loop' }).end(),
  '/redirect/other': (_, response) => void response.writeHead(302, { location: `${otherBase}/headers` }).end(),
  '/redirect/private': (_, response) => void response.writeHead(302, { location: `${disallowedBase}/plain` }).end(),
  '/redirect/metadata': (_, response) =>
    void response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
  '/redirect/file': (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/redirect/broken': (_, response) => void response.writeHead(302, { location: 'https://[' }).end(),
  '/gzip': (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8, 0])),
}

const servers: Server[] = []
let requestsSeen: string[] = []
let base = ''
let otherBase = ''
/** A local server that is not on the allow-list. */
let disallowedBase = ''

async function listen(host = '127.0.0.1'): Promise<string> {
  const server = createServer((request, response) => {
    requestsSeen.push(`${request.headers.host}${request.url}`)
    void (handlers[request.url ?? ''] ?? handlers['/missing']!)(request, response)
  })
  servers.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
}

before(async () => {
  base = await listen()
  otherBase = await listen()
  disallowedBase = await listen()
})

after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const unresolved: ResolveHostName = async (name) => assert.fail(`${name} was looked up`)

function openFetch(resolve: ResolveHostName = unresolved, limit_bytes = 64 * kib) {
  const config = { outside_allow: [base, otherBase], outside_timeout_ms: 3000, outside_limit_bytes: limit_bytes }
  return createSafeFetch({ config, resolve })
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

const assertFailsAs = (
  kind: SafeFetchFailureKind,
  url: string,
  options?: SafeFetchOptions,
  resolve?: ResolveHostName,
) =>
  assert.rejects(
    openFetch(resolve)(url, options),
    (error) => error instanceof SafeFetchFailure && error.kind === kind && /^[A-Z].*\.$/.test(error.message),
    `${url} should fail as ${kind}`,
  )

test('an allowed origin returns status, headers and body for any status', async () => {
  const fetch = openFetch()
  const plain = await fetch(`${base}/plain`)
  assert.deepEqual([plain.status, text(plain.body), plain.url], [200, 'plain', `${base}/plain`])
  const missing = await fetch(`${base}/missing`)
  assert.deepEqual([missing.status, text(missing.body)], [404, 'no such file'])
  const head = await fetch(`${base}/ranges`, { method: 'HEAD', limit_bytes: 10 })
  assert.deepEqual([head.status, head.body.length], [200, 0])
})

test('a body is sent unchanged, and headers of the connection cannot be set by the caller', async () => {
  const fetch = openFetch()
  const posted = await fetch(`${base}/echo`, {
    method: 'POST',
    body: '{"ä":1}',
    headers: { 'Content-Type': 'application/json' },
  })
  assert.equal(text(posted.body), '{"ä":1}')
  const requestedHeaders = {
    Host: 'evil.example',
    'Transfer-Encoding': 'chunked',
    'X-Mine': '1',
    'Accept-Encoding': 'gzip',
  }
  const headers = JSON.parse(text((await fetch(`${base}/headers`, { headers: requestedHeaders })).body)) as Record<
    string,
    string
  >
  assert.equal(headers.host, base.slice('http://'.length))
  assert.equal(headers['transfer-encoding'], undefined)
  assert.equal(headers['accept-encoding'], 'identity')
  assert.equal(headers['x-mine'], '1')
  assert.equal(text((await fetch(`${base}/gzip`)).body).length, 4)
})

test('URLs that are not https to a public host are rejected before any lookup or request', async () => {
  requestsSeen = []
  for (const url of [
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'data:text/plain,x',
    '',
    'example.com',
    '//example.com/',
    's3://bucket/key',
    '/vsicurl/https://example.com/',
  ]) {
    await assertFailsAs('scheme', url)
  }
  for (const url of ['http://example.com/', 'HTTP://EXAMPLE.COM/', 'http://8.8.8.8/', `${disallowedBase}/plain`])
    await assertFailsAs('scheme', url)
  for (const port of [22, 25, 80, 6379, 8080, 9200]) await assertFailsAs('port', `https://example.com:${port}/`)
  const hosts = [
    ['127.0.0.1', '127.1', '0', '0x7f000001', '2130706433', '017700000001', '0.0.0.0', '127.0.0.1.', '１２７.0.0.1'],
    [
      '169.254.169.254',
      '100.64.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '10.0.0.1',
      '192.168.0.1',
    ],
    [
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[fd00::1]',
      '[fe80::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ],
    ['localhost', 'localhost.', 'metadata.google.internal', 'db', 'a.local', 'ⓛocalhost'],
  ].flat()
  for (const host of hosts) await assertFailsAs('address', `https://${host}/`)
  await assertFailsAs('address', 'https://ok@example.com/')
  await assertFailsAs('address', `https://example.com@127.0.0.1/`)
  await assertFailsAs('address', `http://user:word@${base.slice('http://'.length)}/plain`)
  assert.deepEqual(requestsSeen, [])
})

test('a host that has an IPv6 address alone is reached, unless the address is private', async () => {
  const origin = await listen('::1')
  const config = { outside_allow: [origin], outside_timeout_ms: 3000, outside_limit_bytes: 64 * kib }
  const response = await createSafeFetch({ config, resolve: unresolved })(`${origin}/plain`)
  assert.deepEqual([response.status, text(response.body)], [200, 'plain'])
  const resolveTo =
    (address: string): ResolveHostName =>
    async () => [{ address, family: 6 }]
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('::1'))
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('fd00::1'))
  await assertFailsAs('address', 'https://[::1]/plain')
})

test('a name that resolves to any private address is rejected at the connection', async () => {
  const resolveTo =
    (...addresses: string[]): ResolveHostName =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('127.0.0.1'))
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('93.184.216.34', '10.0.0.1'))
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('2606:4700::1', 'fd00::1'))
  await assertFailsAs('address', 'https://scenes.example.com:8443/', {}, resolveTo('169.254.169.254'))
  await assertFailsAs('address', 'https://scenes.example.com/', {}, resolveTo('::ffff:10.0.0.1'))
  await assertFailsAs('name', 'https://scenes.example.com/', {}, resolveTo())
  await assertFailsAs('name', 'https://scenes.example.com/', {}, () =>
    Promise.reject(new Error('ENOTFOUND scenes.example.com')),
  )
  await assertFailsAs('timeout', 'https://scenes.example.com/', { timeout_ms: 50 }, () => sleep(400, []))
})

test('the connection uses the validated address without a second lookup', async () => {
  const connections: Socket[] = []
  const server = createTcpServer((socket) => void connections.push(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let lookups = 0
  const first = async () => {
    lookups += 1
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  }
  const url = new URL(`https://scenes.example.com:${port}/`)
  const baseRequest = {
    method: 'GET',
    headers: {},
    limit_bytes: 10,
    agents: createHttpAgents(first, first),
    guarded: true,
  } as const
  await assert.rejects(sendHttpRequest({ ...baseRequest, url, signal: AbortSignal.timeout(200) }), SafeFetchFailure)
  assert.equal(lookups, 1)
  assert.equal(connections.length, 1)
  assert.equal(connections[0]!.localAddress, '127.0.0.1')
  for (const socket of connections) socket.destroy()
  server.close()
})

test('redirects are followed up to three times, each validated like the first URL', async () => {
  const fetch = openFetch()
  const redirected = await fetch(`${base}/redirect/plain`)
  assert.deepEqual([redirected.status, text(redirected.body), redirected.url], [200, 'plain', `${base}/plain`])
  requestsSeen = []
  await assertFailsAs('redirect', `${base}/redirect/loop`)
  assert.equal(requestsSeen.length, 4)
  requestsSeen = []
  await assertFailsAs('scheme', `${base}/redirect/private`)
  await assertFailsAs('scheme', `${base}/redirect/metadata`)
  await assertFailsAs('scheme', `${base}/redirect/file`)
  await assertFailsAs('redirect', `${base}/redirect/broken`)
  assert.equal(requestsSeen.length, 4)
  assert.ok(!requestsSeen.some((entry) => disallowedBase.endsWith(entry.split('/')[0]!)))
  const unfollowed = await fetch(`${base}/redirect/plain`, { redirects: 0 })
  assert.deepEqual([unfollowed.status, unfollowed.headers['location']], [302, '/plain'])
  const posted = await fetch(`${base}/redirect/plain`, { method: 'POST', body: 'x' })
  assert.equal(posted.status, 302)
})

test('credentials are not sent to another origin', async () => {
  const headers = { Authorization: 'Bearer abc', Cookie: 'a=b', 'X-API-Key': 'k', 'X-Trace': 't' }
  const otherResponse = await openFetch()(`${base}/redirect/other`, { headers })
  const receivedHeaders = JSON.parse(text(otherResponse.body)) as Record<string, string>
  assert.deepEqual(
    [receivedHeaders.authorization, receivedHeaders.cookie, receivedHeaders['x-api-key'], receivedHeaders['x-trace']],
    [undefined, undefined, undefined, 't'],
  )
})

test('a body beyond the limit is rejected, with or without a declared length, or truncated on request', async () => {
  await assertFailsAs('too-large', `${base}/large/told`)
  await assertFailsAs('too-large', `${base}/large/untold`)
  const fetch = openFetch()
  for (const path of ['/large/told', '/large/untold']) {
    const part = await fetch(`${base}${path}`, { beyond_limit: 'cut', limit_bytes: path === '/large/told' ? 1 : 1000 })
    assert.equal(part.body.length, path === '/large/told' ? 1 : 1000)
  }
  const exact = await fetch(`${base}/ranges`, { limit_bytes: 1000 })
  assert.equal(exact.body.length, 1000)
  await assertFailsAs('too-large', `${base}/ranges`, { limit_bytes: 999 })
})

test('the timeout covers silence and slow responses, and a broken response is a connection failure', async () => {
  await assertFailsAs('timeout', `${base}/silent`, { timeout_ms: 150 })
  await assertFailsAs('timeout', `${base}/slow`, { timeout_ms: 200 })
  await assertFailsAs('connection', `${base}/lying`)
  await assertFailsAs('connection', `${base}/nonsense`)
  const caller = new AbortController()
  const waiting = openFetch()(`${base}/silent`, { signal: caller.signal })
  setTimeout(() => caller.abort(new Error('the caller left')), 20)
  await assert.rejects(waiting, /the caller left/)
  await assert.rejects(
    openFetch()(`${base}/plain`, { signal: AbortSignal.abort(new Error('gone before')) }),
    /gone before/,
  )
})

test('a range response must match the requested range', async () => {
  const fetch = openFetch()
  const fetchRange = (range: string, path = '/ranges') => fetch(`${base}${path}`, { headers: { Range: range } })
  assert.deepEqual((await fetchRange('bytes=10-19')).body, new Uint8Array(file.subarray(10, 20)))
  assert.deepEqual((await fetchRange('bytes=990-1999')).body, new Uint8Array(file.subarray(990)))
  assert.deepEqual((await fetchRange('bytes=-5')).body, new Uint8Array(file.subarray(995)))
  assert.deepEqual((await fetchRange('bytes=995-')).body, new Uint8Array(file.subarray(995)))
  assert.equal((await fetchRange('bytes=1000-1001')).status, 416)
  assert.equal((await fetchRange('bytes=0-9', '/missing')).status, 404)
  const range = { headers: { range: 'bytes=0-9' } }
  await assertFailsAs('range', `${base}/plain`, range)
  await assertFailsAs('range', `${base}/ranges/shifted`, range)
  await assertFailsAs('range', `${base}/ranges/wider`, range)
  await assertFailsAs('range', `${base}/ranges/unsaid`, range)
  await assertFailsAs('range', `${base}/ranges/unsaid`)
  await assertFailsAs('too-large', `${base}/ranges/longer`, range)
  await assertFailsAs('too-large', `${base}/ranges`, { headers: { range: 'bytes=0-99' }, limit_bytes: 50 })
})

test('a failure reveals nothing about the internal network', async () => {
  const resolveTo: ResolveHostName = async () => [{ address: '10.1.2.3', family: 4 }]
  await assert.rejects(
    openFetch(resolveTo)('https://scenes.example.com/'),
    (error: Error) => !/10\.1|ECONN|refused/.test(error.message),
  )
  const closedServer = createTcpServer()
  closedServer.listen(0, '127.0.0.1')
  await once(closedServer, 'listening')
  const { port } = closedServer.address() as AddressInfo
  closedServer.close()
  const config = { outside_allow: [`http://127.0.0.1:${port}`], outside_timeout_ms: 1000, outside_limit_bytes: kib }
  await assert.rejects(
    createSafeFetch({ config })(`http://127.0.0.1:${port}/`),
    (error) => error instanceof SafeFetchFailure && error.kind === 'connection' && !error.message.includes('ECONN'),
  )
})
