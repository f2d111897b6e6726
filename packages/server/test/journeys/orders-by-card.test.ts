import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { openClocks } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import type { EmbeddedProcessor } from '../../src/platform/outside/payments/embedded/embedded.ts'
import { assertBooks } from '../books.ts'
import { faultyHost, smallScenes, type FaultyHost } from '../hosts/faulty-host.ts'
import { answerChallenge, atRest, giveCard, processorOf, type Challenge } from '../house-money.ts'
import { capturesOf, eventsOf, moneyOf, placeScenes, waitForOrder } from '../orders.ts'
import { makeOrganization } from '../people.ts'
import { bootHouse, hurried, type TestHouse } from '../setup.ts'

const [scene, other] = smallScenes

let ahead_ms = 0
const clock = openClocks({ now: () => new Date(Date.now() + ahead_ms) })
const hosts: Record<string, FaultyHost> = {}
for (const [name, behaviour] of Object.entries({
  good: {},
  refuses: { place: ['refuse'] },
  half: { files: { [other]: ['missing'] } },
  slow: { deliveries: ['waiting'], delivers_later: true },
} as const)) {
  hosts[name] = await faultyHost(name, behaviour)
}

let house: TestHouse
let processor: EmbeddedProcessor
before(async () => {
  house = await bootHouse({ background: hurried, clock, hosts: Object.values(hosts) })
  processor = processorOf(house)
})
after(() => house?.close())

/** Creates a free organization without credits that has a saved card. */
async function withCard(card: string): Promise<Client> {
  const { owner } = await makeOrganization(house, 0)
  await giveCard(owner.client, card)
  return owner.client
}

/** Finds the payment intent of an order at the processor. */
async function intentOf(order: string) {
  const [row] = await house.database.across.query<{ intent: string }>(sql`
    select intent from card_authorisations where reference_id = ${order}`)
  return processor.find(row!.intent)
}

const sweepDeadlines = (): Promise<void> =>
  house.database.across.transaction((tx) => house.queue.enqueue(tx, 'billing.sweep-deadlines', {}))

test('a free organization without credits orders by card: authorised at checkout, charged at delivery', async () => {
  const client = await withCard('pm_card_good')
  const captures = await capturesOf(client, 'good', [scene])
  const placed = await client.call<{ id: string; billingMode: string; totalCredits: number }>('orders.archive.place', {
    captures,
  })
  assert.equal(placed.billingMode, 'card')
  await waitForOrder(client, placed.id, 'FULFILLED')
  await atRest(house)
  const intent = await intentOf(placed.id)
  assert.deepEqual([intent.status, intent.captured_cents], ['succeeded', placed.totalCredits])
  assert.deepEqual(await moneyOf(client), { available: 0, held: 0 })
  await assertBooks(house)
})

test('a refused order voids its authorisation, and a partial delivery captures a part', async () => {
  const client = await withCard('pm_card_good')
  const refused = await placeScenes(client, 'refuses', [scene])
  await waitForOrder(client, refused, 'FAILED_PERMANENTLY')
  const half = await placeScenes(client, 'half', [scene, other])
  const order = await waitForOrder(client, half, 'FULFILLED')
  await atRest(house)
  assert.equal((await intentOf(refused)).status, 'canceled')
  assert.equal(order.fulfillment, 'partial')
  assert.ok(order.creditsCaptured > 0 && order.creditsCaptured < order.totalCredits)
  assert.equal((await intentOf(half)).captured_cents, order.creditsCaptured)
  await assertBooks(house)
})

test('an order with a declined card returns payment-declined, without a card insufficient-credits, and creates nothing', async () => {
  const client = await withCard('pm_card_declined')
  await assert.rejects(placeScenes(client, 'good', [scene]), { problem: 'payment-declined' })
  const poor = (await makeOrganization(house, 0)).owner.client
  await assert.rejects(placeScenes(poor, 'good', [scene]), { problem: 'insufficient-credits' })
  for (const somebody of [client, poor]) {
    assert.equal((await somebody.call<{ totalElements: number }>('orders.list', {})).totalElements, 0)
  }
})

test('3-D Secure: after a passed challenge the same call with its key places the order', async () => {
  const client = await withCard('pm_card_3ds')
  const captures = await capturesOf(client, 'good', [scene])
  const idempotencyKey = newId()
  const place = () => client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey })
  const challenge = await place().then(
    () => assert.fail('the card was not challenged'),
    (error: ApiProblem) => {
      assert.deepEqual([error.status, error.problem], [402, 'payment-action-required'])
      return error.document as unknown as Challenge
    },
  )
  assert.equal((await client.call<{ totalElements: number }>('orders.list', {})).totalElements, 0)
  await answerChallenge(challenge, 'complete')
  const { id } = await place()
  await waitForOrder(client, id, 'FULFILLED')
  await atRest(house)
  assert.equal((await intentOf(id)).status, 'succeeded')
  assert.equal((await place()).id, id)
  await assertBooks(house)
})

test('a waiting order fails when its authorisation expires and cannot be renewed', async () => {
  const { owner } = await makeOrganization(house, 0)
  await giveCard(owner.client, 'pm_card_expiring')
  const id = await placeScenes(owner.client, 'slow', [scene])
  await waitForOrder(owner.client, id, 'PLACED')
  const [row] = await house.database.across.query<{ intent: string; payment_method: string }>(sql`
    select a.intent, m.payment_method_id as payment_method from card_authorisations a
    join payment_methods m on m.organization_id = a.organization_id and m.id = a.payment_method_id
    where a.reference_id = ${id}`)
  await processor.detach(row!.payment_method)
  ahead_ms += 31 * 60_000
  await sweepDeadlines()
  const client = house.signedIn(owner.email, owner.password)
  const order = await waitForOrder(client, id, 'FAILED_PERMANENTLY')
  await atRest(house)
  assert.equal(order.failureReason?.code, 'payment-ended')
  assert.equal((await processor.find(row!.intent)).status, 'canceled')
  const told = (await eventsOf(client, id)).map(({ event_type }) => event_type)
  assert.deepEqual(told.slice(-2), ['hold.ending', 'order.failed'])
  await assertBooks(house)
})
