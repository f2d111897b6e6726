import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { after, before, test } from 'node:test'
import { createSystemClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { createSafeFetch, createUrlCheck, type ResolveHostName } from '../../platform/integrations/safe-fetch.ts'
import { createSelfSigned, createTestAuthority, type TestAuthority } from '../../../test/webhooks/test-certificates.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'
import { sendWebhook, type WebhookResult } from './send-webhook.ts'

/** Long enough for a busy machine where an endpoint responds, and short where it does not. */
const [patient_ms, impatient_ms] = [20_000, 300]

let receiver: WebhookReceiver
let authority: TestAuthority
let trustedBefore: string[]
before(async () => {
  receiver = await startWebhookReceiver()
  authority = createTestAuthority()
  trustedBefore = getCACertificates('default')
  setDefaultCACertificates([...trustedBefore, authority.root])
})
after(async () => {
  setDefaultCACertificates(trustedBefore)
  await receiver?.close()
})

interface SendOptions {
  /** Origins that are not checked. */
  readonly allowed?: readonly string[]
  readonly resolve?: ResolveHostName
  readonly timeout_ms?: number
}

const localhost: ResolveHostName = async () => [{ address: '127.0.0.1', family: 4 }]

const configOf = (allowed: readonly string[]) => ({
  outside_allow: [...allowed],
  outside_timeout_ms: patient_ms,
  outside_limit_bytes: 1000,
})

function send(endpoint_url: string, options: SendOptions = {}): Promise<WebhookResult> {
  const { allowed = [new URL(endpoint_url).origin], resolve = localhost, timeout_ms = patient_ms } = options
  const fetch = createSafeFetch({ config: configOf(allowed), resolve })
  return sendWebhook(
    { fetch, clock: createSystemClock(), timeout_ms },
    {
      endpoint_url,
      headers: {},
      secrets: ['whsec_c2VjcmV0', null],
      event_id: newId(),
      event_type: 'collection.created',
      delivery_id: newId(),
      body: '{"data":{}}',
    },
  )
}

const assertFails = async (result: Promise<WebhookResult>, error: RegExp): Promise<void> => {
  const { is_delivered, http_status, error: message } = await result
  assert.deepEqual([is_delivered, http_status], [false, null])
  assert.match(message ?? '', error)
}

test('headers that do not come in time are a failure, and those that come in time are not', async () => {
  receiver.respond('/silent', () => undefined)
  receiver.respond('/slow', (response) => void setTimeout(() => response.writeHead(200).end(), 50))
  receiver.respond('/dripping-headers', (response) => {
    response.socket!.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => response.socket?.write('X-Drip: 1\r\n'), 20)
    response.socket!.once('close', () => clearInterval(timer))
  })
  assert.equal((await send(`${receiver.origin}/slow`)).is_delivered, true)
  for (const path of ['/silent', '/dripping-headers'])
    await assertFails(send(`${receiver.origin}${path}`, { timeout_ms: impatient_ms }), /took too long to respond/)
})

test('a host that accepts no connection, or no TLS handshake, fails within the timeout of connecting', async () => {
  const sockets: Socket[] = []
  const mute = createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const url = `https://localhost:${(mute.address() as AddressInfo).port}/`
  await assertFails(send(url, { timeout_ms: impatient_ms }), /took too long/)
  for (const socket of sockets) socket.destroy()
  mute.close()
  await once(mute, 'close')
  await assertFails(send(url), /could not be reached/)
})

test('a body that drips is accepted by its status after the timeout', async () => {
  receiver.respond('/dripping', (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  })
  // Long enough for the status to arrive on a busy machine.
  const { is_delivered, http_status, response_body } = await send(`${receiver.origin}/dripping`, { timeout_ms: 2000 })
  assert.deepEqual([is_delivered, http_status], [true, 200])
  assert.match(response_body!, /^x+$/)
})

test('of an endless body at most 64 KiB are read, and the connection is closed', async () => {
  let written = 0
  let closeConnection = (): void => undefined
  const closed = new Promise<void>((resolve) => (closeConnection = resolve))
  receiver.respond('/endless', (response) => {
    response.writeHead(500)
    const chunk = Buffer.alloc(16 * 1024, 'x')
    const write = (): void => {
      for (written += chunk.length; !response.destroyed && response.write(chunk);) written += chunk.length
    }
    response.on('drain', write).on('close', closeConnection)
    write()
  })
  const result = await send(`${receiver.origin}/endless`)
  assert.deepEqual([result.is_delivered, result.http_status, result.response_body?.length], [false, 500, 4096])
  await closed
  // With the size of the buffers of the connection.
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were written`)
})

test('a compressed body is stored compressed, so that a small one never becomes large', async () => {
  receiver.respond('/gzip', (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8, 0]))
  })
  const { is_delivered, response_body } = await send(`${receiver.origin}/gzip`)
  assert.deepEqual([is_delivered, response_body!.length <= 4], [true, true])
  assert.equal(receiver.to('/gzip')[0]!.headers['accept-encoding'], 'identity')
})

test('a connection that is reset before the status is a failure, and a body that is cut off is not', async () => {
  receiver.respond('/reset', (response) => void response.socket!.resetAndDestroy())
  receiver.respond('/reset-in-body', (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('begin', () => response.socket!.resetAndDestroy())
  })
  receiver.respond('/not-http', (response) => void response.socket!.end('this is not HTTP\r\n\r\n'))
  await assertFails(send(`${receiver.origin}/reset`), /could not be reached, or ended/)
  await assertFails(send(`${receiver.origin}/not-http`), /could not be reached, or ended/)
  const { is_delivered, http_status } = await send(`${receiver.origin}/reset-in-body`)
  assert.deepEqual([is_delivered, http_status], [true, 200])
})

test('a chunked response, and one with more headers than are stored, are read', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'v'.repeat(600)]))
  receiver.respond('/many-headers', status(200, many))
  receiver.respond('/chunked', (response) => {
    response.writeHead(200)
    for (const part of ['a', 'b', 'c']) response.write(part)
    response.end()
  })
  assert.equal((await send(`${receiver.origin}/chunked`)).response_body, 'abc')
  const { response_headers } = await send(`${receiver.origin}/many-headers`).catch(() => assert.fail())
  assert.ok(Object.keys(response_headers).length <= 40)
  assert.ok(Object.values(response_headers).every((value) => value.length <= 500))
})

test('a certificate must be trusted, of the host, and not expired', async () => {
  const expired = new Date(Date.now() - 1000)
  const cases = [
    [authority.issue({ host: 'localhost' }), null],
    [authority.issue({ host: 'localhost', not_after: expired }), /not valid \(CERT_HAS_EXPIRED\)/],
    [authority.issue({ host: 'other.example.com' }), /not valid \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
    [createTestAuthority().issue({ host: 'localhost' }), /not valid \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/],
    [createSelfSigned('localhost'), /not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
  ] as const
  for (const [certificate, error] of cases) {
    const secure = await startWebhookReceiver(certificate)
    const result = await send(`${secure.origin}/hook`)
    await secure.close()
    assert.equal(result.is_delivered, error === null, result.error ?? '')
    if (error !== null) assert.match(result.error ?? '', error)
    assert.equal(secure.received.length, error === null ? 1 : 0)
  }
})

test('an endpoint that speaks HTTP/2 as well is served with HTTP/1.1, and one that speaks nothing else fails', async () => {
  for (const allowHTTP1 of [true, false]) {
    const server: Http2SecureServer = createSecureServer(
      { ...authority.issue({ host: 'localhost' }), allowHTTP1 },
      (_request, response) => void response.writeHead(200).end(),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const sent = send(`https://localhost:${(server.address() as AddressInfo).port}/`, { timeout_ms: 2000 })
    if (allowHTTP1) assert.equal((await sent).is_delivered, true)
    else assert.equal((await sent).is_delivered, false)
    server.close()
  }
})

const resolveTo =
  (...addresses: string[]): ResolveHostName =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('a name that resolves to a private address is refused when it is set, and again at each delivery', async () => {
  const url = 'https://hooks.example.com/hook'
  const private_addresses = [
    ['127.0.0.1'],
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['100.64.0.1'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['192.0.2.1'],
    ['192.168.1.1'],
    ['198.18.0.1'],
    ['224.0.0.1'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['fd00::1'],
    ['fe80::1'],
    ['ff02::1'],
    ['93.184.216.34', '10.0.0.1'],
    ['2606:4700::1', '::1'],
  ]
  for (const addresses of private_addresses) {
    const resolve = resolveTo(...addresses)
    await assert.rejects(createUrlCheck({ config: configOf([]), resolve })(url), /public host/, String(addresses))
    await assertFails(send(url, { allowed: [], resolve }), /does not point to a public host/)
  }
})

test('a name that was public when it was set and is private when something is sent gets nothing', async () => {
  let lookups = 0
  const rebinding: ResolveHostName = async () => {
    lookups += 1
    return [{ address: lookups === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
  }
  const url = 'https://hooks.example.com/hook'
  await createUrlCheck({ config: configOf([]), resolve: rebinding })(url)
  await assertFails(send(url, { allowed: [], resolve: rebinding }), /does not point to a public host/)
  assert.equal(lookups, 2)
})
