import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { createOrganizationClocks } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import type { EmbeddedPaymentProcessor } from '../../src/platform/integrations/payments/embedded/embedded.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes, type FaultyHost } from '../hosts/faulty-host.ts'
import { answerChallenge, waitUntilIdle, saveCard, openProcessor, type PaymentChallenge } from '../billing-helpers.ts'
import { findCaptures, getEntityEvents, getWalletBalance, placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

const [scene, other] = smallScenes

let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })
const hosts: Record<string, FaultyHost> = {}
for (const [name, behaviour] of Object.entries({
  good: {},
  refuses: { place: ['refuse'] },
  half: { files: { [other]: ['missing'] } },
  slow: { deliveries: ['waiting'], delivers_later: true },
} as const)) {
  hosts[name] = await createFaultyHost(name, behaviour)
}

let app: TestApp
let processor: EmbeddedPaymentProcessor
before(async () => {
  app = await startTestApp({ background: immediateRetries, clock, hosts: Object.values(hosts) })
  processor = openProcessor(app)
})
after(() => app?.close())

/** Creates a free organization without credits that has a saved card. */
async function createCardPayer(card: string): Promise<Client> {
  const { owner } = await createTestOrganization(app, 0)
  await saveCard(owner.client, card)
  return owner.client
}

/** Finds the payment intent of an order at the processor. */
async function findIntent(order: string) {
  const [row] = await app.database.unscoped.query<{ intent: string }>(sql`
    select intent from card_authorisations where reference_id = ${order}`)
  return processor.find(row!.intent)
}

const sweepDeadlines = (): Promise<void> =>
  app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {}))

test('a free organization without credits orders by card: authorised at checkout, charged at delivery', async () => {
  const client = await createCardPayer('pm_card_good')
  const captures = await findCaptures(client, 'good', [scene])
  const orderResponse = await client.call<{ id: string; billingMode: string; totalCredits: number }>(
    'orders.archive.place',
    {
      captures,
    },
  )
  assert.equal(orderResponse.billingMode, 'card')
  await waitForOrder(client, orderResponse.id, 'FULFILLED')
  await waitUntilIdle(app)
  const intent = await findIntent(orderResponse.id)
  assert.deepEqual([intent.status, intent.captured_cents], ['succeeded', orderResponse.totalCredits])
  assert.deepEqual(await getWalletBalance(client), { available: 0, held: 0 })
  await assertLedgerConsistent(app)
})

test('a refused order voids its authorisation, and a partial delivery captures a part', async () => {
  const client = await createCardPayer('pm_card_good')
  const refusedOrder = await placeSceneOrder(client, 'refuses', [scene])
  await waitForOrder(client, refusedOrder, 'FAILED_PERMANENTLY')
  const partialOrder = await placeSceneOrder(client, 'half', [scene, other])
  const order = await waitForOrder(client, partialOrder, 'FULFILLED')
  await waitUntilIdle(app)
  assert.equal((await findIntent(refusedOrder)).status, 'canceled')
  assert.equal(order.fulfillment, 'partial')
  assert.ok(order.creditsCaptured > 0 && order.creditsCaptured < order.totalCredits)
  assert.equal((await findIntent(partialOrder)).captured_cents, order.creditsCaptured)
  await assertLedgerConsistent(app)
})

test('an order with a declined card returns payment-declined, without a card insufficient-credits, and creates nothing', async () => {
  const client = await createCardPayer('pm_card_declined')
  await assert.rejects(placeSceneOrder(client, 'good', [scene]), { problem: 'payment-declined' })
  const payerWithoutCard = (await createTestOrganization(app, 0)).owner.client
  await assert.rejects(placeSceneOrder(payerWithoutCard, 'good', [scene]), { problem: 'insufficient-credits' })
  for (const payer of [client, payerWithoutCard]) {
    assert.equal((await payer.call<{ totalElements: number }>('orders.list', {})).totalElements, 0)
  }
})

test('3-D Secure: after a passed challenge the same call with its key places the order', async () => {
  const client = await createCardPayer('pm_card_3ds')
  const captures = await findCaptures(client, 'good', [scene])
  const idempotencyKey = newId()
  const placeOrder = () => client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey })
  const challenge = await placeOrder().then(
    () => assert.fail('the card was not challenged'),
    (error: ApiProblem) => {
      assert.deepEqual([error.status, error.problem], [402, 'payment-action-required'])
      return error.document as unknown as PaymentChallenge
    },
  )
  assert.equal((await client.call<{ totalElements: number }>('orders.list', {})).totalElements, 0)
  await answerChallenge(challenge, 'complete')
  const { id } = await placeOrder()
  await waitForOrder(client, id, 'FULFILLED')
  await waitUntilIdle(app)
  assert.equal((await findIntent(id)).status, 'succeeded')
  assert.equal((await placeOrder()).id, id)
  await assertLedgerConsistent(app)
})

test('a waiting order fails when its authorisation expires and cannot be renewed', async () => {
  const { owner } = await createTestOrganization(app, 0)
  await saveCard(owner.client, 'pm_card_expiring')
  const id = await placeSceneOrder(owner.client, 'slow', [scene])
  await waitForOrder(owner.client, id, 'PLACED')
  const [row] = await app.database.unscoped.query<{ intent: string; payment_method: string }>(sql`
    select a.intent, m.payment_method_id as payment_method from card_authorisations a
    join payment_methods m on m.organization_id = a.organization_id and m.id = a.payment_method_id
    where a.reference_id = ${id}`)
  await processor.detach(row!.payment_method)
  clock_offset_ms += 31 * 60_000
  await sweepDeadlines()
  const client = app.createClientFor(owner.email, owner.password)
  const order = await waitForOrder(client, id, 'FAILED_PERMANENTLY')
  await waitUntilIdle(app)
  assert.equal(order.failureReason?.code, 'payment-ended')
  assert.equal((await processor.find(row!.intent)).status, 'canceled')
  const eventTypes = (await getEntityEvents(client, id)).map(({ event_type }) => event_type)
  assert.deepEqual(eventTypes.slice(-2), ['hold.ending', 'order.failed'])
  await assertLedgerConsistent(app)
})
