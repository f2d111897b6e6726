import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openTestDatabase } from '../../../test/database.ts'
import { createManualClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import {
  openEmbeddedPaymentProcessor,
  type EmbeddedPaymentProcessor,
} from '../../platform/integrations/payments/embedded/embedded.ts'
import type { PaymentIntent, PaymentProcessorEvent } from '../../platform/integrations/payments/payments.ts'
import { signWebhookBody } from '../../platform/integrations/payments/webhook-signature.ts'
import { registerPaymentRoutes, createPaymentWebhookSender } from './payment-routes.ts'
import { createHttpServer } from '../server.ts'

const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
const key = new Uint8Array(32).fill(3)
const received: PaymentProcessorEvent[] = []
let database: Database
let embedded: EmbeddedPaymentProcessor
let app: FastifyInstance
let customer: string
let isFailing = false

before(async () => {
  database = await openTestDatabase()
  embedded = openEmbeddedPaymentProcessor({ database, clock, key })
  app = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  const onEvent = async (event: PaymentProcessorEvent): Promise<void> => {
    if (isFailing) throw new Error('the handler fails')
    received.push(event)
  }
  registerPaymentRoutes(app, { payments: embedded, embedded, onEvent })
  embedded.listen(createPaymentWebhookSender(app))
  customer = (await embedded.createCustomer({ organization_id: newId(), name: 'Acme', email: null }, newId())).id
})
after(async () => {
  await app.close()
  await database.close()
})

async function createChallenge(capture: 'automatic' | 'manual' = 'automatic'): Promise<PaymentIntent> {
  const { id } = await embedded.attach(customer, 'pm_card_3ds')
  return embedded.charge({ customer, payment_method: id, amount_cents: 1234, capture, metadata: {} }, newId())
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (url: string, payload: string | Buffer, headers: Record<string, string> = form) =>
  app.inject({ method: 'POST', url, payload, headers })

test('the challenge page shows the amount and has no external resources', async () => {
  const { challenge_url } = await createChallenge()
  const page = await app.inject(challenge_url!)
  assert.equal(page.statusCode, 200)
  assert.match(page.body, /A\$12\.34/)
  assert.match(page.body, /value="complete".*value="fail"/)
  assert.match(page.body, /name="viewport"/)
  assert.doesNotMatch(page.body, /(src|href)=|https?:|<script/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*form-action 'self'/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.equal(page.headers['cache-control'], 'no-store')
})

test('the first form submission counts; later submissions and reloads change nothing', async () => {
  for (const [answer, other, status, word] of [
    ['complete', 'fail', 'requires_capture', /is confirmed/],
    ['fail', 'complete', 'requires_payment_method', /was refused/],
  ] as const) {
    const { id, challenge_url } = await createChallenge('manual')
    const posted = await post(challenge_url!, `answer=${answer}`)
    assert.equal(posted.statusCode, 303)
    assert.equal(posted.headers['location'], challenge_url)
    assert.equal((await post(challenge_url!, `answer=${answer}`)).statusCode, 303)
    assert.equal((await post(challenge_url!, `answer=${other}`)).statusCode, 303)
    const page = await app.inject(challenge_url!)
    assert.match(page.body, word)
    assert.match(page.body, /same Idempotency-Key/)
    assert.doesNotMatch(page.body, /<form/)
    assert.equal((await embedded.find(id)).status, status)
  }
})

test('a cancelled payment has nothing to confirm', async () => {
  const { id, challenge_url } = await createChallenge()
  await embedded.cancel(id, newId())
  assert.match((await app.inject(challenge_url!)).body, /was cancelled/)
  assert.equal((await post(challenge_url!, 'answer=complete')).statusCode, 303)
  assert.equal((await embedded.find(id)).status, 'canceled')
})

test('rejects unknown secrets, invalid form values and long forms with a problem', async () => {
  const { id, challenge_url } = await createChallenge()
  for (const url of ['/processor/challenge/pi_unknown_secret_x', `/processor/challenge/${id}`]) {
    const unknown = await app.inject(url)
    assert.equal(unknown.statusCode, 404)
    assert.match(String(unknown.headers['content-type']), /^application\/problem\+json/)
    assert.equal((await post(url, 'answer=complete')).statusCode, 404)
  }
  assert.equal((await post(challenge_url!, 'answer=perhaps')).statusCode, 400)
  assert.equal((await post(challenge_url!, '')).statusCode, 400)
  assert.equal((await post(challenge_url!, `answer=${'x'.repeat(2000)}`)).statusCode, 413)
  assert.equal((await embedded.find(id)).status, 'requires_action')
})

test('embedded events arrive at the webhook route, signed, and are redelivered after a failure', async () => {
  await embedded.deliverEvents()
  received.length = 0
  const { id } = await createChallenge()
  isFailing = true
  assert.equal(await embedded.deliverEvents(), 0)
  isFailing = false
  assert.equal(await embedded.deliverEvents(), 0, 'not before its retry time')
  clock.advance(10_000)
  assert.equal(await embedded.deliverEvents(), 2)
  assert.deepEqual(received.map((event) => event.type).sort(), [
    'payment_intent.requires_action',
    'payment_method.attached',
  ])
  assert.ok(received.some((event) => event.object_id === id))
})

test('rejects a webhook that is unsigned, changed, old, malformed or too large', async () => {
  const webhookEvent = { id: 'evt_1', type: 'x', created: 1, data: { object: { id: 'y', object: 'z' } } }
  const body = Buffer.from(JSON.stringify(webhookEvent))
  const send = (payload: Buffer, signature?: string) =>
    post('/webhooks/payments', payload, signature === undefined ? {} : { 'stripe-signature': signature })
  const good = signWebhookBody(key, body, clock.now())
  received.length = 0
  const accepted = await send(body, good)
  assert.deepEqual([accepted.statusCode, accepted.json()], [200, { received: true }])
  assert.deepEqual(received, [{ id: 'evt_1', type: 'x', object_id: 'y', created: new Date(1000), data: {} }])
  const other = Buffer.from(JSON.stringify({ ...webhookEvent, type: 'X' }))
  const nonsense = Buffer.from('{}')
  const rejected = [
    await send(body),
    await send(body, ''),
    await send(other, good),
    await send(body, signWebhookBody(new Uint8Array(32), body, clock.now())),
    await send(body, signWebhookBody(key, body, new Date(clock.now().getTime() - 301_000))),
    await send(nonsense, signWebhookBody(key, nonsense, clock.now())),
  ]
  for (const { statusCode, headers } of rejected) {
    assert.equal(statusCode, 400)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
  }
  const large = Buffer.alloc(256 * 1024 + 1)
  assert.equal((await send(large, signWebhookBody(key, large, clock.now()))).statusCode, 413)
  assert.equal(received.length, 1)
})

test('without the embedded processor there is no challenge page', async () => {
  const withoutEmbedded = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  registerPaymentRoutes(withoutEmbedded, { payments: embedded, embedded: null, onEvent: async () => {} })
  const { challenge_url } = await createChallenge()
  assert.equal((await withoutEmbedded.inject(challenge_url!)).statusCode, 404)
  await withoutEmbedded.close()
})
