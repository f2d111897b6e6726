import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { createManualClock, systemClock } from '../../src/platform/clock.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { answerChallenge, waitUntilIdle, saveCard, openProcessor, type PaymentChallenge } from '../billing-helpers.ts'
import { findCaptures, getEntityEvents, getWalletBalance, waitForOrder } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

const clock = createManualClock(systemClock.now())
let app: TestApp
before(async () => {
  app = await startTestApp({ background: immediateRetries, clock })
})
after(() => app?.close())

interface Topup {
  readonly id: string
  readonly status: string
  readonly credits: number
}

const topUp = (client: Client, credits: number, key?: string): Promise<Response> =>
  client.fetch('/v1/op/billing.topup', {
    method: 'POST',
    body: JSON.stringify({ credits }),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

const listCharges = async (organization: string): Promise<string[]> =>
  (
    await app.database.unscoped.query<{ line: string }>(sql`
      select intent.status || ' ' || intent.captured_cents as line from processor_intents intent
      join processor_customers customer on customer.id = intent.customer
      where customer.organization_id = ${organization} order by intent.created_at, intent.id`)
  ).map(({ line }) => line)

const listDocuments = async (client: Client): Promise<string[]> =>
  (await client.call<{ invoices: { number: string; total_aud: number }[] }>('billing.invoices.list', {})).invoices.map(
    ({ number, total_aud }) => `${number} ${total_aud}`,
  )

const sweepDeadlines = async (): Promise<void> => {
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {}))
  await waitUntilIdle(app)
}

test('concurrent calls with one key make one charge and get the same response', async () => {
  const { organization, owner } = await createTestOrganization(app, 0)
  await saveCard(owner.client)
  const key = newId()
  const responses = await Promise.all(Array.from({ length: 8 }, () => topUp(owner.client, 2200, key)))
  const texts = await Promise.all(responses.map((response) => response.text()))
  assert.ok(
    responses.every(({ status }) => status === 201 || status === 409),
    texts.join('\n'),
  )
  const successfulBodies = new Set(texts.filter((_, index) => responses[index]!.status === 201))
  assert.equal(successfulBodies.size, 1)
  await waitUntilIdle(app)
  assert.deepEqual(await listCharges(organization), ['succeeded 2200'])
  assert.deepEqual(await getWalletBalance(owner.client), { available: 2200, held: 0 })
  assert.deepEqual(await listDocuments(owner.client), ['PLAY-RC-000001 22'])
  const { id } = JSON.parse([...successfulBodies][0]!) as Topup
  assert.deepEqual(
    (await getEntityEvents(owner.client, id)).map((event) => event.event_type),
    ['topup.succeeded', 'credits.purchased'],
  )
  await assertLedgerConsistent(app)
})

test('a top-up whose challenge is passed without a retry is granted once, by the webhook', async () => {
  const { organization, owner } = await createTestOrganization(app, 0)
  await saveCard(owner.client, 'pm_card_3ds')
  const key = newId()
  const refused = await topUp(owner.client, 1500, key)
  assert.equal(refused.status, 402)
  await answerChallenge((await refused.json()) as PaymentChallenge, 'complete')
  await waitUntilIdle(app)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 1500, held: 0 })
  const late = await topUp(owner.client, 1500, key)
  assert.equal(late.status, 201)
  assert.deepEqual(await listCharges(organization), ['succeeded 1500'])
  assert.deepEqual(await getWalletBalance(owner.client), { available: 1500, held: 0 })
  await assertLedgerConsistent(app)
})

test('an order that takes the wallet below its threshold triggers an auto top-up without delaying the order', async () => {
  const { organization, owner } = await createTestOrganization(app, 100_000)
  await saveCard(owner.client)
  const captures = await findCaptures(owner.client, 'commercial', ['naip-va-17n'])
  const { total_credits } = await owner.client.call('orders.archive.estimate', { captures })
  const threshold_credits = 100_000 - total_credits + 1
  const autoTopup = { enabled: true, threshold_credits, topup_amount_credits: 5000, daily_charge_cap_aud: 50 }
  assert.deepEqual(await owner.client.call('billing.set_auto_topup', autoTopup), {
    ...autoTopup,
    max_consecutive_declines: 3,
    consecutive_declines: 0,
  })
  const { id } = await owner.client.call<{ id: string }>('orders.archive.place', { captures })
  await waitForOrder(owner.client, id, 'FULFILLED')
  await waitUntilIdle(app)
  assert.deepEqual(await listCharges(organization), ['succeeded 5000'])
  assert.equal((await getWalletBalance(owner.client)).available, 105_000 - total_credits)
  await assertLedgerConsistent(app)
})

test('a top-up requested by a member and approved by the owner can be refunded and disputed', async () => {
  const org = await createTestOrganization(app, 0)
  const requester = await org.addMember('member')
  await saveCard(org.owner.client)
  const late = await requester.client.call<{ id: string }>('billing.approvals.request', {
    credits: 1000,
    expiry_hours: 1,
  })
  clock.advance(hour_ms)
  await sweepDeadlines()
  // Tokens expired when the clock moved.
  const { organization } = org
  const [owner, member] = [org.owner, requester].map(({ email, password }) => ({
    client: app.createClientFor(email, password),
  })) as [{ client: Client }, { client: Client }]
  const expiredResponse = await owner.client.fetch('/v1/op/billing.approvals.approve', {
    method: 'POST',
    body: JSON.stringify({ approval_id: late.id }),
  })
  assert.equal(expiredResponse.status, 410)
  const { id: approval_id } = await member.client.call<{ id: string }>('billing.approvals.request', { credits: 3300 })
  const approved = await owner.client.call<{ status: string }>('billing.approvals.approve', { approval_id })
  assert.equal(approved.status, 'completed')
  assert.deepEqual(await listCharges(organization), ['succeeded 3300'])
  const { transactions } = await owner.client.call<{
    transactions: { reason: string; reference: { type: string; id: string } }[]
  }>('billing.credits.transactions', { reason: 'purchase' })
  const { reference } = transactions[0]!
  assert.equal(reference.type, 'topup')
  const refund = { topup_id: reference.id, credits: 1100 }
  assert.equal((await owner.client.call<{ aud: number }>('billing.refunds.request', refund)).aud, 11)
  await waitUntilIdle(app)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 2200, held: 0 })
  assert.deepEqual((await listDocuments(owner.client)).sort(), ['PLAY-CR-000001 11', 'PLAY-RC-000001 33'])
  const [intent] = await app.database.unscoped.query<{ id: string; refunded_cents: number }>(sql`
    select intent.id, intent.refunded_cents from processor_intents intent
    join processor_customers customer on customer.id = intent.customer
    where customer.organization_id = ${organization}`)
  assert.equal(intent!.refunded_cents, 1100)

  const processor = openProcessor(app)
  const { id: dispute } = await processor.openDispute(intent!.id, 2200)
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.redeliverWebhooks, {}))
  await waitUntilIdle(app)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 0, held: 0 })
  await processor.closeDispute(dispute, 'won')
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.redeliverWebhooks, {}))
  await waitUntilIdle(app)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 2200, held: 0 })
  await assertLedgerConsistent(app)
})
