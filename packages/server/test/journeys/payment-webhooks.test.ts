import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deriveKey } from '../../src/platform/crypto/signatures.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import {
  openEmbeddedPaymentProcessor,
  type EmbeddedPaymentProcessor,
} from '../../src/platform/integrations/payments/embedded/embedded.ts'
import type { PaymentIntent } from '../../src/platform/integrations/payments/payments.ts'
import { signWebhookBody } from '../../src/platform/integrations/payments/webhook-signature.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const secret = 'a server secret that is long enough'
const key = deriveKey(Buffer.from(secret), 'processor-webhooks')
let app: TestApp
let processor: EmbeddedPaymentProcessor

before(async () => {
  app = await startTestApp({ environment: { SWATH_SECRET: secret } })
  processor = openEmbeddedPaymentProcessor({ database: app.database, clock: app.clock, key })
})
after(() => app.close())

async function createChallengedIntent(): Promise<PaymentIntent> {
  const { id: customer } = await processor.createCustomer({ organization_id: newId(), name: 'A', email: null }, newId())
  const { id: payment_method } = await processor.attach(customer, 'pm_card_3ds')
  return processor.charge({ customer, payment_method, amount_cents: 900, capture: 'automatic', metadata: {} }, newId())
}

/** The event types of one payment intent, whether delivered or not. */
async function listEventTypes(intent: PaymentIntent): Promise<string[]> {
  const rows = await app.database.unscoped.query<{ type: string }>(sql`
    select body ->> 'type' as type from processor_events where body -> 'data' -> 'object' ->> 'id' = ${intent.id} order by type`)
  return rows.map((row) => row.type)
}

const countUndelivered = async (): Promise<number> => {
  const rows = await app.database.unscoped.query(sql`select 1 from processor_events where next_at is not null`)
  return rows.length
}

test('a challenge passed in a browser is delivered by the webhook route', async () => {
  const intent = await createChallengedIntent()
  assert.deepEqual(await listEventTypes(intent), ['payment_intent.requires_action'])
  const challengeUrl = `${app.url}${intent.challenge_url}`
  const page = await (await fetch(challengeUrl)).text()
  assert.match(page, /A\$9\.00/)
  const confirmation = await fetch(challengeUrl, { method: 'POST', body: new URLSearchParams({ answer: 'complete' }) })
  assert.equal(confirmation.status, 200)
  assert.match(await confirmation.text(), /confirmed/)
  assert.equal((await processor.find(intent.id)).status, 'succeeded')
  assert.deepEqual(await listEventTypes(intent), ['payment_intent.requires_action', 'payment_intent.succeeded'])
  while ((await countUndelivered()) > 0) await new Promise(setImmediate)
})

test('the webhook route accepts only a valid signature', async () => {
  const object = { object: 'customer', id: 'cus_unknown' }
  const event = { id: 'evt_journey', object: 'event', type: 'customer.created', created: 1, data: { object } }
  const body = new TextEncoder().encode(JSON.stringify(event))
  const post = (signature: string): Promise<Response> =>
    fetch(`${app.url}/webhooks/payments`, { method: 'POST', headers: { 'stripe-signature': signature }, body })
  const rejected = await post(signWebhookBody(new Uint8Array(32), body, app.clock.now()))
  assert.equal(rejected.status, 400)
  assert.match(((await rejected.json()) as { type: string }).type, /malformed$/)
  const accepted = await post(signWebhookBody(key, body, app.clock.now()))
  assert.deepEqual([accepted.status, await accepted.json()], [200, { received: true }])
})
