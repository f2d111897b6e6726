import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { PaymentsFailure, type Payments, type ProcessorEvent } from '../../../platform/outside/payments/payments.ts'
import { openHoldings, type Holdings } from '../../../../test/holdings.ts'
import { ask, claimOf, losing, payingOrganization } from '../../../../test/paying.ts'
import { openBench, type Bench } from '../../../../test/work.ts'
import { balance, grant } from '../../ledger/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { receiveEvent } from '../processor/processor-events.ts'
import { spend } from '../spend.ts'

let holdings: Holdings
let bench: Bench
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
})
after(() => holdings?.close())

const money = async (call: Call): Promise<number> =>
  (await balance(call.db, call.organization, holdings.clock.of(call.organization).now())).available_credits
const request = (call: Call, topup_id: string, terms: object = {}) =>
  ask<{ id: string; credits: number; status: string }>(call, 'billing.refunds.request', { topup_id, ...terms })

/** Creates an organization that has purchased 1,100 credits. */
async function bought() {
  const made = await payingOrganization(holdings, bench)
  await ask(made.owner, 'billing.topup', { credits: 1100 })
  const [{ id: topup, intent }] = (await made.topups()) as unknown as [{ id: string; intent: string }]
  const refunded = async () => (await holdings.payments.find(intent)).refunded_cents
  const states = async () =>
    (
      await made.owner.db.query<{ state: string }>(sql`
        select state from payment_refunds where organization_id = ${made.organization} order by created_at, id`)
    ).map(({ state }) => state)
  const sound = async () => assert.deepEqual((await verifyLedger(made.owner.db, made.organization)).faults, [])
  return { ...made, topup, intent, refunded, states, sound }
}

/** A task runner with some methods of the payment processor replaced. */
const benchWith = (changed: Partial<Payments>): Bench =>
  openBench({ ...holdings, outside: { ...holdings.outside, payments: { ...holdings.payments, ...changed } } })

test('a refund reverses unspent credits at once, then refunds the card and issues a credit note', async () => {
  const { owner, topup, journal, balances, documents, refunded, states, sound, eventData } = await bought()
  const made = await request(owner, topup, { credits: 440, reason: 'too many' })
  assert.deepEqual([made.credits, made.status], [440, 'pending'])
  assert.deepEqual([await money(owner), await refunded(), await states()], [660, 0, ['starting']])
  await bench.run()
  assert.deepEqual([await refunded(), await states()], [440, ['succeeded']])
  assert.deepEqual((await journal()).slice(2), ['refund -440', 'payment -440', 'tax 40'])
  assert.deepEqual(await documents(), ['CN-000001 440 paid', 'R-000001 1100 paid'])
  assert.equal((await request(owner, topup)).credits, 660, 'the whole remainder')
  await bench.run()
  assert.deepEqual(await balances(), {})
  assert.deepEqual(
    (await eventData('topup.refunded')).map(({ credits }) => credits),
    [440, 660],
  )
  await assert.rejects(request(owner, topup), { problem: 'invalid-state' })
  await sound()
})

test('refunding more than the unspent credits of the top-up is refused and writes nothing', async () => {
  const { owner, topup, journal, states } = await bought()
  await owner.transaction((tx) =>
    grant(tx, owner, { kind: 'grant_manual', amount_credits: 500, priority: 90, reference: { type: 'test', id: 'x' } }),
  )
  await spend(owner, { amount_credits: 600, subject: 'test' }, async (_tx, held) => held)
  const before = await journal()
  await assert.rejects(request(owner, topup, { credits: 501 }), {
    problem: 'invalid-state',
    extra: { refundable_credits: 500 },
  })
  assert.deepEqual([await journal(), await states()], [before, []])
  assert.equal((await request(owner, topup)).credits, 500)
})

test('refunding an unpaid, foreign or unknown top-up is refused', async () => {
  const [ours, theirs] = [await bought(), await bought()]
  for (const id of [theirs.topup, newId()]) {
    await assert.rejects(request(ours.owner, id), { problem: 'not-found' })
  }
  const declined = await payingOrganization(holdings, bench, 'pm_card_declined')
  await assert.rejects(ask(declined.owner, 'billing.topup', { credits: 1100 }))
  const [{ id }] = (await declined.topups()) as unknown as [{ id: string }]
  await assert.rejects(request(declined.owner, id), { problem: 'invalid-state' })
})

test('users with a billing role can request refunds; API keys and members cannot', async () => {
  const { owner, someone, topup } = await bought()
  const principal = { ...owner.principal, kind: 'api_key', id: newId(), role: null } as const
  await assert.rejects(request({ ...owner, principal }, topup), { problem: 'user-required' })
  await assert.rejects(request(await someone('member'), topup), { problem: 'forbidden' })
  assert.equal((await request(await someone('billing'), topup)).credits, 1100)
})

test('a retry with the same key is one refund, and concurrent refunds never exceed the credits', async () => {
  const { owner, topup, refunded, states, sound } = await bought()
  const call = { ...owner, claim: claimOf() }
  const first = await request(call, topup, { credits: 100 })
  assert.deepEqual(await request(call, topup, { credits: 100 }), first)
  const settled = await Promise.allSettled(Array.from({ length: 6 }, () => request(owner, topup, { credits: 300 })))
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 3)
  await bench.run()
  assert.deepEqual([await refunded(), (await states()).length], [1000, 4])
  await sound()
})

test('a refund whose response was lost is not sent twice, by its key or by comparing totals', async () => {
  const { owner, organization, topup, refunded, states, journal, sound } = await bought()
  const { id: refund_id } = await request(owner, topup, { credits: 300 })
  const data = { organization_id: organization, refund_id }
  const lost = benchWith({ refund: losing(holdings.payments, ['refund'], () => true).refund })
  await assert.rejects(lost.once('billing.send-refund', data), /line was cut/)
  assert.deepEqual([await refunded(), await states()], [300, ['starting']])
  const forgetful = benchWith({
    refund: async () => assert.fail('the refund was already sent'),
  })
  await forgetful.once('billing.send-refund', data)
  await bench.run()
  assert.deepEqual([await refunded(), await states()], [300, ['succeeded']])
  assert.deepEqual((await journal()).slice(2), ['refund -300', 'payment -300', 'tax 27'])
  await sound()
})

test('a refund that the processor rejects returns the credits to their lot and emits an event', async () => {
  const { owner, topup, balances, states, events, documents, sound } = await bought()
  await request(owner, topup, { credits: 300 })
  const refusing = benchWith({
    refund: async () => {
      throw new PaymentsFailure('invalid', 'The charge cannot be refunded.')
    },
  })
  const [{ id: refund_id }] = (await owner.db.query(sql`
    select id from payment_refunds where organization_id = ${owner.organization}`)) as [{ id: string }]
  const data = { organization_id: owner.organization, refund_id }
  await refusing.once('billing.send-refund', data)
  await refusing.once('billing.send-refund', data)
  await bench.run()
  assert.deepEqual([await money(owner), await states()], [1100, ['failed']])
  assert.deepEqual(await balances(), { revenue: -100, 'stripe.clearing': -1100, tax: 100, 'wallet.available': 1100 })
  assert.deepEqual(await documents(), ['R-000001 1100 paid'])
  assert.equal((await events()).filter((kind) => kind === 'topup.refund_failed').length, 1)
  assert.equal((await request(owner, topup)).credits, 1100)
  await sound()
})

test('a refund and a concurrent one at the processor leave the ledger equal to the refunded total', async () => {
  for (const outside of [200, 1100]) {
    const { owner, topup, intent, balances, refunded, states, sound } = await bought()
    await request(owner, topup, { credits: 600 })
    await holdings.payments.refund({ intent, amount_cents: outside, metadata: {} }, `${intent}:outside`)
    await bench.run()
    const event: ProcessorEvent = {
      id: `evt_${newId()}`,
      type: 'charge.refunded',
      object_id: intent,
      created: holdings.clock.now(),
      data: {},
    }
    const ground = { database: holdings.database, queue: bench.queue, clock: holdings.clock }
    await receiveEvent(ground, event)
    await receiveEvent(ground, { ...event, id: `${event.id}_again` })
    await bench.run()
    const gone = await refunded()
    assert.equal(gone, outside === 200 ? 800 : 1100)
    assert.deepEqual([await money(owner), await states()], [1100 - gone, ['succeeded']])
    const { 'stripe.clearing': clearing = 0, refunds = 0 } = await balances()
    assert.deepEqual([clearing, refunds], [gone - 1100, 0])
    await sound()
  }
})

test('refunding a disputed charge is refused', async () => {
  const { owner, topup, intent } = await bought()
  const { id: dispute } = await holdings.payments.openDispute(intent, 200)
  const event = { type: 'charge.dispute.created', object_id: intent, created: holdings.clock.now() }
  await receiveEvent(
    { database: holdings.database, queue: bench.queue, clock: holdings.clock },
    { ...event, id: `evt_${newId()}`, data: { dispute, amount_cents: 200, status: 'open' } },
  )
  await bench.run()
  await assert.rejects(request(owner, topup), { problem: 'invalid-state' })
})

test("lists the processor's invoices, and none without a customer", async () => {
  const { owner } = await payingOrganization(holdings, bench, null)
  const list = (call: Call) => ask<{ invoices: object[] }>(call, 'billing.stripe_invoices.list', { limit: 5 })
  assert.deepEqual((await list(owner)).invoices, [])
  await ask(owner, 'payment_methods.attach', { payment_method_id: 'pm_card_good' })
  assert.deepEqual((await list(owner)).invoices, [])
  const facts = { id: 'in_1', number: 'A-1', status: 'paid', currency: 'AUD', hosted_url: null, pdf_url: null }
  const asked: unknown[] = []
  const payments: Payments = {
    ...holdings.payments,
    invoices: async (...given) => {
      asked.push(...given)
      return [{ ...facts, total_cents: 1234, created: new Date(0) }]
    },
  }
  const { invoices } = await list({ ...owner, outside: { ...holdings.outside, payments } })
  assert.deepEqual(invoices, [{ ...facts, total_aud: 12.34, created_at: '1970-01-01T00:00:00.000Z' }])
  assert.deepEqual([typeof asked[0], asked[1]], ['string', 5])
})
