import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../../../../test/database.ts'
import { failure } from '../../../../../test/payments/bench.ts'
import { manualClock, type ManualClock } from '../../../clock.ts'
import type { Database } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import { newId } from '../../../ids.ts'
import type { ChargeTerms, Intent, ProcessorEvent } from '../payments.ts'
import { openEmbedded, type EmbeddedProcessor } from './embedded.ts'
import { oneAtATime } from './one-at-a-time.ts'

const key = new Uint8Array(32).fill(9)
const day_ms = 24 * 60 * 60 * 1000
let database: Database
let clock: ManualClock
let payments: EmbeddedProcessor
let heard: ProcessorEvent[]
let customer: string
let organization: string

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const reopen = (): EmbeddedProcessor => openEmbedded({ database, clock, key })

beforeEach(async () => {
  await database.across.query(sql`delete from processor_events`)
  clock = manualClock(new Date('2026-02-27T12:00:00.000Z'))
  payments = reopen()
  heard = []
  payments.listen(async (body, signature) => void heard.push(await payments.readEvent(body, signature)))
  organization = newId()
  const terms = { organization_id: organization, name: 'Acme', email: null }
  customer = (await payments.createCustomer(terms, newId())).id
})

const terms = (payment_method: string, more: Partial<ChargeTerms> = {}): ChargeTerms => ({
  customer,
  payment_method,
  amount_cents: 5000,
  capture: 'automatic',
  metadata: {},
  ...more,
})

async function charge(card = 'pm_card_good', more: Partial<ChargeTerms> = {}): Promise<Intent> {
  const { id } = await payments.attach(customer, card)
  return payments.charge(terms(id, more), newId())
}

const typesOf = (events: readonly ProcessorEvent[]): string[] => events.map(({ type }) => type).sort()

test('a second processor on the same database sees all state', async () => {
  const held = await charge('pm_card_good', { capture: 'manual' })
  const other = reopen()
  assert.deepEqual(await other.find(held.id), held)
  assert.equal((await other.capture(held.id, 700, 'after-' + held.id)).captured_cents, 700)
  assert.equal((await payments.capture(held.id, 700, 'after-' + held.id)).captured_cents, 700)
})

test('two processors on the same database execute one idempotency key once', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  const other = reopen()
  const once = newId()
  const made = await Promise.all([payments, other, payments, other].map((one) => one.charge(terms(id), once)))
  assert.equal(new Set(made.map((intent) => intent.id)).size, 1)
})

test('the app role cannot read the tables of the processor', async () => {
  const db = database.of(newId())
  await assert.rejects(db.query(sql`select * from processor_intents`), /permission denied/)
  await assert.rejects(db.query(sql`select * from processor_events`), /permission denied/)
})

test('a payment method id may begin with cst_', async () => {
  const card = await payments.attach(customer, 'cst_card_good')
  assert.equal(card.last4, '4242')
  const alias = card.id.replace('pm_', 'cst_')
  assert.equal((await payments.charge(terms(alias), newId())).payment_method, card.id)
  await payments.setDefault(customer, alias)
  await payments.detach(alias)
  await assert.rejects(payments.charge(terms(card.id), newId()), failure('invalid'))
  await assert.rejects(payments.attach(customer, 'cst_card_none'), failure('not-found'))
  await assert.rejects(payments.attach(customer, 'pm_constructor'), failure('not-found'))
})

test('a card is valid through the last day of its month, and declined after it', async () => {
  const card = await payments.attach(customer, 'pm_card_expiring')
  assert.deepEqual([card.exp_month, card.exp_year], [2, 2026])
  clock.advance(day_ms * 1.5 - 1)
  assert.equal((await payments.charge(terms(card.id), newId())).status, 'succeeded')
  clock.advance(1)
  await assert.rejects(payments.charge(terms(card.id), newId()), failure('declined', 'expired_card'))
})

test('saving a card completes the setup intent that was created last', async () => {
  const begun = await payments.createSetupIntent(customer, newId())
  const card = await payments.attach(customer, 'pm_card_good')
  await payments.detach(card.id)
  await payments.deliverEvents()
  assert.deepEqual(typesOf(heard), ['payment_method.attached', 'payment_method.detached', 'setup_intent.succeeded'])
  for (const { type, object_id, data } of heard) {
    assert.equal(object_id, type.startsWith('setup') ? begun.id : card.id)
    assert.equal(data['customer'], customer)
  }
})

test('a dispute is opened and closed once, and both send an event', async () => {
  const { id } = await charge()
  await assert.rejects(payments.openDispute(id, 5001), failure('invalid'))
  const dispute = await payments.openDispute(id, 4000)
  await payments.closeDispute(dispute.id, 'lost')
  await assert.rejects(payments.closeDispute(dispute.id, 'won'), failure('invalid'))
  await assert.rejects(payments.closeDispute('dp_none', 'won'), failure('not-found'))
  await payments.deliverEvents()
  const told = heard.filter(({ type }) => type.startsWith('charge.dispute'))
  assert.deepEqual(
    told.map(({ type, object_id, data }) => ({ type, object_id, data })),
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
  const held = await charge('pm_card_good', { capture: 'manual' })
  assert.equal(held.capture_before!.getTime(), clock.now().getTime() + ahead_ms + 7 * day_ms)
  assert.equal((await payments.capture(held.id, 5000, newId())).status, 'succeeded')
  const { exp_year } = await payments.attach(customer, 'pm_card_expiring')
  assert.equal(exp_year, 2027)
})

test('an expired authorization is cancelled and sends an event', async () => {
  const { id } = await charge('pm_card_expiring', { capture: 'manual' })
  clock.advance(60 * 60 * 1000)
  await payments.deliverEvents()
  const ends = heard.filter(({ type }) => type === 'payment_intent.canceled')
  assert.deepEqual(
    ends.map(({ object_id }) => object_id),
    [id],
  )
  assert.equal((await payments.find(id)).status, 'canceled')
})

test('an undelivered event is retried with backoff for three days', async () => {
  await charge()
  const tries: number[] = []
  const start = clock.now().getTime()
  const mute = reopen()
  mute.listen(async () => {
    tries.push((clock.now().getTime() - start) / 1000)
    throw new Error('no delivery')
  })
  for (let step = 0; step < 4 * 24 * 60 * 6; step += 30) {
    await mute.deliverEvents()
    clock.advance(30 * 10_000)
  }
  const first = tries.filter((_, index) => index % 2 === 0)
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
  const [one, two, ...again] = heard
  assert.deepEqual(again.map(({ id }) => id).sort(), [one!.id, two!.id].sort())
})

test('a prompt listener receives events without a call to deliverEvents; a closed processor delivers none', async () => {
  const first = Promise.withResolvers<void>()
  payments.listen(async () => first.resolve(), 'prompt')
  await payments.attach(customer, 'pm_card_good')
  await first.promise
  await payments.close()
  heard.length = 0
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
    assert.deepEqual(await database.across.query(sql`select 1 from ${name}`), [], table)
  }
})

test('an idempotency key has from 1 to 255 characters', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  for (const bad of ['', 'x'.repeat(256)]) {
    await assert.rejects(payments.charge(terms(id), bad), failure('invalid'))
  }
})

test('metadata in another order is the same request for an idempotency key', async () => {
  const { id } = await payments.attach(customer, 'pm_card_good')
  const once = newId()
  const one = await payments.charge(terms(id, { metadata: { a: '1', b: '2' } }), once)
  assert.equal((await payments.charge(terms(id, { metadata: { b: '2', a: '1' } }), once)).id, one.id)
  await assert.rejects(payments.charge(terms(id, { metadata: { a: '1' } }), once), failure('idempotency'))
})

test('runs do not overlap, and calls during a run share the next one', async () => {
  const gates: (() => void)[] = []
  let running = 0
  const work = oneAtATime(async () => {
    running += 1
    assert.equal(running, 1)
    await new Promise<void>((resolve) => gates.push(resolve))
    running -= 1
    if (gates.length === 1) throw new Error('the first failed')
    return gates.length
  })
  const first = work()
  await Promise.resolve()
  const [second, third] = [work(), work()]
  assert.equal(second, third)
  gates[0]!()
  await assert.rejects(first, /the first failed/)
  while (gates.length < 2) await new Promise(setImmediate)
  gates[1]!()
  assert.equal(await third, 2)
})
