import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { openTestDatabase } from '../../../../../test/database.ts'
import { failedWith } from '../../../../../test/payments/payments-harness.ts'
import { createManualClock, type ManualClock } from '../../../clock.ts'
import type { Database } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import { newId } from '../../../ids.ts'
import type { ChargeRequest, PaymentIntent, PaymentProcessorEvent } from '../payments.ts'
import { openEmbeddedPaymentProcessor, type EmbeddedPaymentProcessor } from './embedded.ts'
import { runOneAtATime } from './run-one-at-a-time.ts'

const key = new Uint8Array(32).fill(9)
let database: Database
let clock: ManualClock
let payments: EmbeddedPaymentProcessor
let received: PaymentProcessorEvent[]
let customer: string
let organization: string

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const reopen = (): EmbeddedPaymentProcessor => openEmbeddedPaymentProcessor({ database, clock, key })

beforeEach(async () => {
  await database.unscoped.query(sql`delete from processor_events`)
  clock = createManualClock(new Date('2026-02-27T12:00:00.000Z'))
  payments = reopen()
  received = []
  payments.listen(async (body, signature) => void received.push(await payments.readEvent(body, signature)))
  organization = newId()
  const request = { organization_id: organization, name: 'Acme', email: null }
  customer = (await payments.createCustomer(request, newId())).id
})

const request = (payment_method: string, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
  customer,
  payment_method,
  amount_cents: 5000,
  capture: 'automatic',
  metadata: {},
  ...overrides,
})

async function charge(card = 'pm_card_good', overrides: Partial<ChargeRequest> = {}): Promise<PaymentIntent> {
  const { id } = await payments.attach(customer, card)
  return payments.charge(request(id, overrides), newId())
}

const typesOf = (events: readonly PaymentProcessorEvent[]): string[] => events.map(({ type }) => type).sort()

test('a second processor on the same database sees all state', async () => {
  const authorized = await charge('pm_card_good', { capture: 'manual' })
  const secondProcessor = reopen()
  assert.deepEqual(await secondProcessor.find(authorized.id), authorized)
  assert.equal((await secondProcessor.capture(authorized.id, 700, 'after-' + authorized.id)).captured_cents, 700)
  assert.equal((await payments.capture(authorized.id, 700, 'after-' + authorized.id)).captured_cents, 700)
})

test('two processors on the same database execute one idempotency key once', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  const secondProcessor = reopen()
  const idempotencyKey = newId()
  const intents = await Promise.all(
    [payments, secondProcessor, payments, secondProcessor].map((one) => one.charge(request(id), idempotencyKey)),
  )
  assert.equal(new Set(intents.map((intent) => intent.id)).size, 1)
})

test('the app role cannot read the tables of the processor', async () => {
  const db = database.forOrganization(newId())
  await assert.rejects(db.query(sql`select * from processor_intents`), /permission denied/)
  await assert.rejects(db.query(sql`select * from processor_events`), /permission denied/)
})

test('a payment method id may begin with cst_', async () => {
  const card = await payments.attach(customer, 'cst_card_good')
  assert.equal(card.last4, '4242')
  const alias = card.id.replace('pm_', 'cst_')
  assert.equal((await payments.charge(request(alias), newId())).payment_method, card.id)
  await payments.setDefault(customer, alias)
  await payments.detach(alias)
  await assert.rejects(payments.charge(request(card.id), newId()), failedWith('invalid'))
  await assert.rejects(payments.attach(customer, 'cst_card_none'), failedWith('not-found'))
  await assert.rejects(payments.attach(customer, 'pm_constructor'), failedWith('not-found'))
})

test('a card is valid through the last day of its month, and declined after it', async () => {
  const card = await payments.attach(customer, 'pm_card_expiring')
  assert.deepEqual([card.exp_month, card.exp_year], [2, 2026])
  clock.advance(day_ms * 1.5 - 1)
  assert.equal((await payments.charge(request(card.id), newId())).status, 'succeeded')
  clock.advance(1)
  await assert.rejects(payments.charge(request(card.id), newId()), failedWith('declined', 'expired_card'))
})

test('saving a card completes the setup intent that was created last', async () => {
  const setupIntent = await payments.createSetupIntent(customer, newId())
  const card = await payments.attach(customer, 'pm_card_good')
  await payments.detach(card.id)
  await payments.deliverEvents()
  assert.deepEqual(typesOf(received), ['payment_method.attached', 'payment_method.detached', 'setup_intent.succeeded'])
  for (const { type, object_id, data } of received) {
    assert.equal(object_id, type.startsWith('setup') ? setupIntent.id : card.id)
    assert.equal(data['customer'], customer)
  }
})

test('a dispute is opened and closed once, and both send an event', async () => {
  const { id } = await charge()
  await assert.rejects(payments.openDispute(id, 5001), failedWith('invalid'))
  const dispute = await payments.openDispute(id, 4000)
  await payments.closeDispute(dispute.id, 'lost')
  await assert.rejects(payments.closeDispute(dispute.id, 'won'), failedWith('invalid'))
  await assert.rejects(payments.closeDispute('dp_none', 'won'), failedWith('not-found'))
  await payments.deliverEvents()
  const disputeEvents = received.filter(({ type }) => type.startsWith('charge.dispute'))
  assert.deepEqual(
    disputeEvents.map(({ type, object_id, data }) => ({ type, object_id, data })),
    [
      {
        type: 'charge.dispute.created',
        object_id: id,
        data: { dispute: dispute.id, amount_cents: 4000, status: 'open' },
      },
      {
        type: 'charge.dispute.closed',
        object_id: id,
        data: { dispute: dispute.id, amount_cents: 4000, status: 'lost' },
      },
    ],
  )
})

test('cards and authorizations expire on the clock of their organization', async () => {
  const ahead_ms = 400 * day_ms
  clock.advance(ahead_ms, organization)
  const authorized = await charge('pm_card_good', { capture: 'manual' })
  assert.equal(authorized.capture_before!.getTime(), clock.now().getTime() + ahead_ms + 7 * day_ms)
  assert.equal((await payments.capture(authorized.id, 5000, newId())).status, 'succeeded')
  const { exp_year } = await payments.attach(customer, 'pm_card_expiring')
  assert.equal(exp_year, 2027)
})

test('an expired authorization is cancelled and sends an event', async () => {
  const { id } = await charge('pm_card_expiring', { capture: 'manual' })
  clock.advance(60 * 60 * 1000)
  await payments.deliverEvents()
  const cancellations = received.filter(({ type }) => type === 'payment_intent.canceled')
  assert.deepEqual(
    cancellations.map(({ object_id }) => object_id),
    [id],
  )
  assert.equal((await payments.find(id)).status, 'canceled')
})

test('an undelivered event is retried with backoff for three days', async () => {
  await charge()
  const attemptTimes: number[] = []
  const start = clock.now().getTime()
  const failingProcessor = reopen()
  failingProcessor.listen(async () => {
    attemptTimes.push((clock.now().getTime() - start) / 1000)
    throw new Error('no delivery')
  })
  for (let minute = 0; minute < 4 * 24 * 60; minute += 15) {
    await failingProcessor.deliverEvents()
    clock.advance(15 * 60_000)
  }
  const first = attemptTimes.filter((_, index) => index % 2 === 0)
  assert.ok(first.length > 70 && first.length < 90, `${first.length}`)
  assert.ok(first.at(-1)! > 2.9 * 86_400 && first.at(-1)! <= 3 * 86_400)
  assert.equal(await payments.deliverEvents(), 0)
  assert.equal(await payments.repeatEvents(), 2)
})

test('repeatEvents sends all events again, unchanged', async () => {
  await charge()
  assert.equal(await payments.deliverEvents(), 2)
  assert.equal(await payments.deliverEvents(), 0)
  assert.equal(await payments.repeatEvents(), 2)
  const [one, two, ...repeated] = received
  assert.deepEqual(repeated.map(({ id }) => id).sort(), [one!.id, two!.id].sort())
})

test('a prompt listener receives events without a call to deliverEvents; a closed processor delivers none', async () => {
  const first = Promise.withResolvers<void>()
  payments.listen(async () => first.resolve(), 'prompt')
  await payments.attach(customer, 'pm_card_good')
  await first.promise
  await payments.close()
  received.length = 0
  await payments.attach(customer, 'pm_card_good')
  assert.equal(await payments.deliverEvents(), 0)
  assert.equal(await reopen().deliverEvents(), 0, 'the reopened processor has no listener')
})

test('old idempotency keys and old events are deleted', async () => {
  await charge()
  await payments.deliverEvents()
  clock.advance(31 * day_ms)
  await payments.deliverEvents()
  for (const table of ['processor_events', 'processor_requests'] as const) {
    const name = sql.identifier(table, ['processor_events', 'processor_requests'])
    assert.deepEqual(await database.unscoped.query(sql`select 1 from ${name}`), [], table)
  }
})

test('an idempotency key has from 1 to 255 characters', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  for (const invalidKey of ['', 'x'.repeat(256)]) {
    await assert.rejects(payments.charge(request(id), invalidKey), failedWith('invalid'))
  }
})

test('metadata in another order is the same request for an idempotency key', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  const idempotencyKey = newId()
  const one = await payments.charge(request(id, { metadata: { a: '1', b: '2' } }), idempotencyKey)
  assert.equal((await payments.charge(request(id, { metadata: { b: '2', a: '1' } }), idempotencyKey)).id, one.id)
  await assert.rejects(
    payments.charge(request(id, { metadata: { a: '1' } }), idempotencyKey),
    failedWith('idempotency'),
  )
})

test('runs do not overlap, and calls during a run share the next one', async () => {
  const resolvers: (() => void)[] = []
  let running = 0
  const work = runOneAtATime(async () => {
    running += 1
    assert.equal(running, 1)
    await new Promise<void>((resolve) => resolvers.push(resolve))
    running -= 1
    if (resolvers.length === 1) throw new Error('the first failed')
    return resolvers.length
  })
  const first = work()
  await Promise.resolve()
  const [second, third] = [work(), work()]
  assert.equal(second, third)
  resolvers[0]!()
  await assert.rejects(first, /the first failed/)
  while (resolvers.length < 2) await new Promise(setImmediate)
  resolvers[1]!()
  assert.equal(await third, 2)
})
