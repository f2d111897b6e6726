import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createClient, type ClientOptions } from './client.ts'
import { CallTimeoutError, ConnectionError } from './errors/connection-errors.ts'
import { ApiProblem } from './problem.ts'
import type { ResponseInfo } from './transport.ts'

const baseUrl = 'https://swath.example'

type Answer = (request: Request) => Response | Promise<Response>

/** A client of a platform that gives these answers, the last one for ever; waits are at most those that the platform asks for. */
function connect(t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  t.mock.method(Math, 'random', () => 0)
  const requests: Request[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    requests.push(request)
    return answers[Math.min(requests.length, answers.length) - 1]!(request)
  }
  return { requests, client: createClient({ baseUrl, token: 'key', fetch, maxRetries: 3, ...options }) }
}

const ok = () => Response.json({ ok: true })
const refuse =
  (status: number, problem: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ type: `${baseUrl}/problems/${problem}`, title: problem, status }, { status, headers })
const disconnect = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNRESET') }))
/** Answers never, until the signal of the request ends it. */
const hang: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

test('a read is repeated after lost connections, outages and rate limits', async (t) => {
  const { client, requests } = connect(t, [disconnect, refuse(503, 'unavailable', { 'retry-after': '0' }), refuse(502, 'upstream'), ok]) // prettier-ignore
  assert.deepEqual(await client.call('items.get', { item_id: 'a' }, { isRead: true }), { ok: true })
  assert.equal(requests.length, 4)
  assert.deepEqual(await Promise.all(requests.map((request) => request.text())), Array(4).fill('{"item_id":"a"}'))
})

test('a write is repeated with its key only, and that is the same in every attempt', async (t) => {
  const withKey = connect(t, [disconnect, refuse(409, 'idempotency-in-flight', { 'retry-after': '0' }), ok])
  await withKey.client.call('orders.cancel', { order_id: 'a' }, { idempotencyKey: 'one' })
  assert.deepEqual(
    withKey.requests.map(({ headers }) => headers.get('idempotency-key')),
    ['one', 'one', 'one'],
  )
  for (const answer of [disconnect, refuse(503, 'unavailable'), refuse(500, 'internal')]) {
    const { client, requests } = connect(t, [answer, ok])
    await assert.rejects(client.call('projects.create', { name: 'a' }))
    assert.equal(requests.length, 1)
  }
  const limited = connect(t, [refuse(429, 'rate-limited', { 'retry-after': '0' }), ok])
  await limited.client.call('projects.create', { name: 'a' })
  assert.equal(limited.requests.length, 2, 'a rate limit refuses before anything is done')
})

test('refusals are not repeated, nor a conflict of a key that no other call holds', async (t) => {
  for (const answer of [refuse(422, 'validation'), refuse(402, 'insufficient-credits'), refuse(409, 'invalid-state')]) {
    const { client, requests } = connect(t, [answer, ok])
    await assert.rejects(client.call('orders.cancel', { order_id: 'a' }, { idempotencyKey: 'one' }), ApiProblem)
    assert.equal(requests.length, 1)
  }
})

test('a wait beyond the budget, and more attempts than allowed, end with the last problem', async (t) => {
  const late = connect(t, [refuse(429, 'rate-limited', { 'retry-after': '3600' }), ok])
  await assert.rejects(late.client.call('items.get', {}, { isRead: true }), { retryAfter_s: 3600 })
  const reset = connect(t, [refuse(429, 'rate-limited', { ratelimit: '"default";r=0;t=3600' }), ok])
  await assert.rejects(reset.client.call('items.get', {}, { isRead: true }), { status: 429 })
  assert.equal(late.requests.length + reset.requests.length, 2)
  const down = connect(t, [refuse(503, 'unavailable')])
  await assert.rejects(down.client.call('items.get', {}, { isRead: true, maxRetries: 1 }), { status: 503 })
  assert.equal(down.requests.length, 2)
})

test('without options a request is sent once, and a fetch of a read is repeated with them', async (t) => {
  const once = connect(t, [disconnect, ok], { maxRetries: undefined })
  await assert.rejects(once.client.fetch('/v1/items'), ConnectionError)
  const repeated = connect(t, [disconnect, ok])
  assert.equal((await repeated.client.fetch('/v1/items')).status, 200)
  const posted = connect(t, [disconnect, ok])
  await assert.rejects(posted.client.fetch('/v1/items', { method: 'POST' }), ConnectionError)
})

test('an attempt that takes too long is a CallTimeoutError, and is repeated as a lost connection is', async (t) => {
  const { client, requests } = connect(t, [hang, ok])
  assert.deepEqual(await client.call('items.get', {}, { isRead: true, timeout_ms: 5 }), { ok: true })
  assert.equal(requests.length, 2)
  const write = connect(t, [hang])
  await assert.rejects(write.client.call('projects.create', { name: 'a' }, { timeout_ms: 5 }), (error) => {
    assert.ok(error instanceof CallTimeoutError)
    assert.equal(error.timeout_ms, 5)
    return true
  })
})

test('a body that breaks off is an attempt that failed', async (t) => {
  const broken = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new TypeError('terminated')),
      }),
    )
  const { client, requests } = connect(t, [broken, ok])
  assert.deepEqual(await client.call('items.get', {}, { isRead: true }), { ok: true })
  assert.equal(requests.length, 2)
})

test('the signal ends a call at once, in an attempt and between two', async (t) => {
  const reason = new Error('no longer needed')
  for (const answer of [hang, refuse(429, 'rate-limited', { 'retry-after': '60' })]) {
    const { client, requests } = connect(t, [answer])
    const caller = new AbortController()
    const call = client.call('items.get', {}, { isRead: true, signal: caller.signal })
    await new Promise(setImmediate)
    caller.abort(reason)
    await assert.rejects(call, reason)
    assert.equal(requests.length, 1)
  }
})

test('hooks are told of every attempt, and neither they nor errors have secrets', async (t) => {
  const seen: unknown[] = []
  const told: ResponseInfo[] = []
  const { client, requests } = connect(
    t,
    [disconnect, () => Response.json({}, { headers: { 'x-request-id': 'r1' } })],
    {
      token: 'swathkey_secret',
      traceparent: () => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      onRequest: (info) => seen.push(info),
      onResponse: (info) => told.push(info),
    },
  )
  await client.fetch('/v1/share/tilejson?token=swathshare_secret')
  assert.deepEqual(
    told.map(({ attempt, status, request_id, retry_in_ms }) => [attempt, status, request_id, retry_in_ms]),
    [
      [1, null, null, 0],
      [2, 200, 'r1', null],
    ],
  )
  assert.equal(new Set(requests.map(({ headers }) => headers.get('traceparent'))).size, 1)
  const failing = connect(t, [disconnect], { token: 'swathkey_secret', maxRetries: 0 })
  const error = await failing.client.fetch('/t?token=swathshare_secret').catch((thrown: unknown) => thrown)
  const malformed = createClient({ baseUrl, token: 'swathkey_secret\nmore' })
  const refused = await malformed.call('items.get').catch((thrown: unknown) => thrown)
  assert.match(String(refused), /line break/)
  assert.doesNotMatch(JSON.stringify([seen, told]) + String(error) + String(refused), /secret/)
})
