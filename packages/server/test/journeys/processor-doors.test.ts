import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deriveKey } from '../../src/platform/crypto/signatures.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { openEmbedded, type EmbeddedProcessor } from '../../src/platform/outside/payments/embedded/embedded.ts'
import type { Intent } from '../../src/platform/outside/payments/payments.ts'
import { signWebhook } from '../../src/platform/outside/payments/webhook-signature.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

const secret = 'a server secret that is long enough'
const key = deriveKey(Buffer.from(secret), 'processor-webhooks')
let house: TestHouse
let books: EmbeddedProcessor

before(async () => {
  house = await bootHouse({ environment: { SWATH_SECRET: secret } })
  books = openEmbedded({ database: house.database, clock: house.clock, key })
})
after(() => house.close())

async function challenged(): Promise<Intent> {
  const { id: customer } = await books.createCustomer({ organization_id: newId(), name: 'A', email: null }, newId())
  const { id: payment_method } = await books.attach(customer, 'pm_card_3ds')
  return books.charge({ customer, payment_method, amount_cents: 900, capture: 'automatic', metadata: {} }, newId())
}

/** The event types of one payment intent, whether delivered or not. */
async function told(intent: Intent): Promise<string[]> {
  const rows = await house.database.across.query<{ type: string }>(sql`
    select body ->> 'type' as type from processor_events where body -> 'data' -> 'object' ->> 'id' = ${intent.id} order by type`)
  return rows.map((row) => row.type)
}

const waiting = async (): Promise<number> => {
  const rows = await house.database.across.query(sql`select 1 from processor_events where next_at is not null`)
  return rows.length
}

test('a challenge passed in a browser is delivered by the webhook route', async () => {
  const intent = await challenged()
  assert.deepEqual(await told(intent), ['payment_intent.requires_action'])
  const address = `${house.url}${intent.challenge_url}`
  const page = await (await fetch(address)).text()
  assert.match(page, /A\$9\.00/)
  const passed = await fetch(address, { method: 'POST', body: new URLSearchParams({ answer: 'complete' }) })
  assert.equal(passed.status, 200)
  assert.match(await passed.text(), /confirmed/)
  assert.equal((await books.find(intent.id)).status, 'succeeded')
  assert.deepEqual(await told(intent), ['payment_intent.requires_action', 'payment_intent.succeeded'])
  while ((await waiting()) > 0) await new Promise(setImmediate)
})

test('the webhook route accepts only a valid signature', async () => {
  const object = { object: 'customer', id: 'cus_unknown' }
  const event = { id: 'evt_journey', object: 'event', type: 'customer.created', created: 1, data: { object } }
  const body = new TextEncoder().encode(JSON.stringify(event))
  const post = (signature: string): Promise<Response> =>
    fetch(`${house.url}/webhooks/payments`, { method: 'POST', headers: { 'stripe-signature': signature }, body })
  const refused = await post(signWebhook(new Uint8Array(32), body, house.clock.now()))
  assert.equal(refused.status, 400)
  assert.match(((await refused.json()) as { type: string }).type, /malformed$/)
  const taken = await post(signWebhook(key, body, house.clock.now()))
  assert.deepEqual([taken.status, await taken.json()], [200, { received: true }])
})
