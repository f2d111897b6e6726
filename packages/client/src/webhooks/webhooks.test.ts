import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import express from 'express'
import Fastify from 'fastify'
import {
  fastifyWebhook,
  fetchWebhook,
  nodeWebhook,
  signWebhook,
  verifyWebhook,
  type KnownWebhookEvent,
  type DeliveredEvent,
  type WebhookReceiverOptions,
} from './index.ts'

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
const max_body_bytes = 2000

const createEvent = (change: Partial<KnownWebhookEvent> = {}): KnownWebhookEvent =>
  ({
    event_id: '01900000-0000-7000-8000-0000000000ff',
    event_type: 'upload.completed',
    timestamp: '2026-03-01T00:00:00.000Z',
    organization_id: '01900000-0000-7000-8000-000000000001',
    entity_type: 'upload',
    entity_id: '01900000-0000-7000-8000-000000000002',
    data: { project_id: 'Zürich 🛰️ \u2028', item_ids: ['i'], refused_count: 0 },
    ...change,
  }) as KnownWebhookEvent

type Post = (headers: Readonly<Record<string, string>>, body: string) => Promise<Response>

/** Starts a server with the handler; calls the test with a function that posts to it. */
type Adapter = (options: WebhookReceiverOptions, run: (post: Post) => Promise<void>) => Promise<void>

const postTo =
  (origin: string): Post =>
  (headers, body) =>
    fetch(`${origin}/swath`, { method: 'POST', headers, body })

async function withServer(server: ReturnType<typeof createServer>, run: (post: Post) => Promise<void>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await run(postTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const adapters: Readonly<Record<string, Adapter>> = {
  'node:http': (options, run) =>
    withServer(
      createServer((...sent) => void nodeWebhook(options)(...sent)),
      run,
    ),
  Express: (options, run) => {
    const app = express()
    app.post('/swath', nodeWebhook(options))
    app.use(express.json())
    return withServer(createServer(app), run)
  },
  'Express with a raw body': (options, run) => {
    const app = express()
    app.use(express.raw({ type: '*/*', limit: max_body_bytes }))
    app.post('/swath', nodeWebhook(options))
    return withServer(createServer(app), run)
  },
  Fastify: async (options, run) => {
    const app = Fastify()
    await app.register(fastifyWebhook('/swath', options))
    app.post('/other', async ({ body }) => ({ parsed: typeof body }))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    try {
      await run(postTo(url))
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
      assert.deepEqual(await (await fetch(`${url}/other`, json)).json(), { parsed: 'object' })
    } finally {
      await app.close()
    }
  },
  Fetch: (options, run) =>
    run((headers, body) => fetchWebhook(options)(new Request('http://x/swath', { method: 'POST', headers, body }))),
}

for (const [name, adapter] of Object.entries(adapters)) {
  test(`${name}: a delivery is verified, handled once, and acknowledged`, async () => {
    const events: DeliveredEvent[] = []
    const onEvent = (event: DeliveredEvent): void => void events.push(event)
    await adapter({ secret, onEvent, seen: new Set<string>(), max_body_bytes }, async (post) => {
      const { headers, body } = await signWebhook(secret, createEvent())
      assert.deepEqual([(await post(headers, body)).status, (await post(headers, body)).status], [200, 200])
      assert.deepEqual(events, [createEvent()])
    })
  })

  test(`${name}: what is not signed, is too long or fails is not acknowledged`, async () => {
    const errors: unknown[] = []
    const onEvent = (): void => {
      throw new Error('the database is away')
    }
    const seen = new Set<string>()
    await adapter({ secret, onEvent, seen, onError: (error) => errors.push(error), max_body_bytes }, async (post) => {
      const { headers, body } = await signWebhook(secret, createEvent())
      assert.equal((await post(headers, body)).status, 500)
      assert.equal((await post(headers, `${body} `)).status, 401)
      assert.equal((await post({ 'content-type': 'application/json' }, body)).status, 401)
      const long = await signWebhook(secret, createEvent({ entity_id: 'x'.repeat(max_body_bytes) }))
      assert.equal((await post(long.headers, long.body)).status, 413)
      assert.equal(errors.length, 3)
      assert.equal(seen.size, 0)
    })
  })
}

test('a sender that hangs up does not end the receiver, whose own errors do not either', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown): never => {
    errors.push(error)
    throw new Error('an error of the receiver')
  }
  const handle = nodeWebhook({ secret, onEvent: () => undefined, onError })
  await withServer(
    createServer((request, response) => void handle(request, response)),
    async (post) => {
      const origin = (await post({}, '')).url
      const cut = httpRequest(origin, { method: 'POST', headers: { 'content-length': 100 } })
      cut.on('error', () => undefined)
      cut.write('abc')
      await new Promise((resolve) => setTimeout(resolve, 20))
      cut.destroy()
      while (errors.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal((await post({}, '{}')).status, 401)
    },
  )
})

test('a parser of Express that comes first is named as the cause', async () => {
  const errors: unknown[] = []
  const app = express()
  app.use(express.json())
  app.post('/swath', nodeWebhook({ secret, onEvent: () => undefined, onError: (error) => errors.push(error) }))
  await withServer(createServer(app), async (post) => {
    const { headers, body } = await signWebhook(secret, createEvent())
    assert.equal((await post(headers, body)).status, 500)
    assert.match(String(errors[0]), /before express\.json\(\)/)
  })
})

test('other methods are not allowed', async () => {
  const options = { secret, onEvent: () => undefined }
  assert.equal((await fetchWebhook(options)(new Request('http://x/swath'))).status, 405)
  const server = createServer((...sent) => void nodeWebhook(options)(...sent))
  await withServer(server, async () => {
    const call = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'GET' })
    call.end()
    const [answer] = (await once(call, 'response')) as [{ statusCode: number; headers: { allow: string } }]
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST'])
  })
})

test('the type of an event tells the type of its data, and an event of a newer server is kept', async () => {
  // Compiles only if each comparison tells the type.
  const read = (event: DeliveredEvent): number | string => {
    if (event.event_type === 'upload.completed') return event.data.refused_count
    if (event.event_type === 'order.fulfilled') return event.data.toStatus
    return String(event.event_type)
  }
  const newer = { event_id: 'e', event_type: 'moon.full', data: { phase: 1 } }
  const { headers, body } = await signWebhook(secret, newer)
  const event = await verifyWebhook(secret, { headers, body })
  assert.deepEqual(event, newer)
  assert.deepEqual([read(event), read(createEvent())], ['moon.full', 0])
})

test('a secret that is none signs nothing, and a signed body that is no JSON is refused', async () => {
  await assert.rejects(signWebhook('whsec_', createEvent()), TypeError)
  const { headers } = await signWebhook(secret, createEvent())
  await assert.rejects(verifyWebhook(secret, { headers, body: 'x' }), { message: /No signature/ })
})
