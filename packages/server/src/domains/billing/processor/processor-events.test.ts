import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { PaymentsFailure, type Payments, type ProcessorEvent } from '../../../platform/outside/payments/payments.ts'
import { openHoldings, type Holdings } from '../../../../test/holdings.ts'
import { ask, claimOf, losing, payingOrganization } from '../../../../test/paying.ts'
import { openNews, type ProcessorNews } from '../../../../test/processor-news.ts'
import { openBench, type Bench } from '../../../../test/work.ts'
import { balance, grant, withdraw } from '../../ledger/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { receiveEvent } from './processor-events.ts'
import { settleSpend, spend } from '../spend.ts'

let holdings: Holdings
let bench: Bench
let news: ProcessorNews

before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
  news = openNews(holdings, bench)
})
after(() => holdings?.close())

/** The same events with new ids. */
const renamed = (events: readonly ProcessorEvent[]): ProcessorEvent[] =>
  events.map((event) => ({ ...event, id: `${event.id}_again` }))

const money = async (call: Call): Promise<number> =>
  (await balance(call.db, call.organization, holdings.clock.of(call.organization).now())).available_credits
const spendCredits = (call: Call, amount_credits: number) =>
  call.transaction((tx) =>
    withdraw(tx, call, { amount_credits, reference: { type: 'test', id: 'test' }, note: 'spent' }),
  )
const give = (call: Call, amount_credits: number, priority = 10, expires_at: Date | null = null) =>
  call.transaction((tx) =>
    grant(tx, call, {
      kind: 'grant_manual',
      amount_credits,
      priority,
      expires_at,
      reference: { type: 'test', id: 'test' },
    }),
  )
const lotsOf = async (call: Call) =>
  (
    await call.db.query<{ line: string }>(sql`
      select kind || ' ' || available_credits || ' ' || refunded_credits as line from credit_lots
      where organization_id = ${call.organization} order by created_at, id`)
  ).map(({ line }) => line)
const sound = async (call: Call): Promise<void> =>
  assert.deepEqual((await verifyLedger(call.db, call.organization)).faults, [])

/** An organization with one paid top-up of 1,100 whose events are not delivered yet. */
async function paid() {
  const made = await payingOrganization(holdings, bench)
  await news.collect()
  await ask(made.owner, 'billing.topup', { credits: 1100 })
  const [{ id, intent }] = (await made.topups()) as unknown as [{ id: string; intent: string }]
  const refundOutside = (amount_cents: number) =>
    holdings.payments.refund({ intent, amount_cents, metadata: {} }, `${intent}:${amount_cents}`)
  return { ...made, id, intent, refundOutside }
}

test('I30: a webhook grants an abandoned top-up once, also if it is delivered twice or with another id', async () => {
  const { owner, journal, events } = await payingOrganization(holdings, bench, 'pm_card_3ds')
  const error = await ask(owner, 'billing.topup', { credits: 1100 }).catch(
    (refused: { extra: { client_secret: string } }) => refused,
  )
  await news.collect()
  await holdings.payments.settleChallenge(
    (error as { extra: { client_secret: string } }).extra.client_secret,
    'complete',
  )
  const told = await news.collect()
  await news.tell([...told, ...told])
  await news.tell(renamed(told))
  await news.tell(told)
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.equal((await events()).filter((kind) => kind === 'topup.succeeded').length, 1)
  await sound(owner)
})

test('I30: a webhook grants a top-up whose response was lost, and a retry returns it', async () => {
  const { owner, journal, charges } = await payingOrganization(holdings, bench)
  await news.collect()
  const outside = { ...holdings.outside, payments: losing(holdings.payments, ['charge'], () => true) }
  const claimed = { ...owner, claim: claimOf() }
  await assert.rejects(ask({ ...claimed, outside }, 'billing.topup', { credits: 1100 }), { problem: 'upstream' })
  await news.tell(await news.collect())
  assert.equal(await money(owner), 1100)
  assert.equal((await ask(claimed, 'billing.topup', { credits: 1100 }))['status'], 'succeeded')
  assert.deepEqual([await journal(), await charges()], [['purchase 1100', 'tax -100'], ['succeeded 1100']])
})

test('a webhook that reports a decline before the response fails the top-up', async () => {
  const { owner, topups, eventData, journal } = await payingOrganization(holdings, bench, 'pm_card_declined')
  await news.collect()
  const charge: Payments['charge'] = (terms, key) =>
    holdings.payments.charge(terms, key).catch(() => {
      throw new PaymentsFailure('unavailable', 'The line was cut.')
    })
  const outside = { ...holdings.outside, payments: { ...holdings.payments, charge } }
  await assert.rejects(ask({ ...owner, outside }, 'billing.topup', { credits: 1100 }), { problem: 'upstream' })
  await news.tell(await news.collect())
  assert.deepEqual(
    (await topups()).map(({ state, failure_code }) => [state, failure_code]),
    [['failed', 'card_declined']],
  )
  assert.deepEqual([(await eventData('topup.failed')).length, await journal()], [1, []])
})

test('all events of a top-up give the same result in ten orders and delivered twice', async () => {
  const outcomes = new Set<string>()
  for (let order = 0; order < 10; order++) {
    const { owner, intent, refundOutside, journal, balances, documents } = await paid()
    await refundOutside(300)
    const { id: dispute } = await holdings.payments.openDispute(intent, 500)
    await holdings.payments.closeDispute(dispute, 'won')
    const told = await news.collect()
    const turned = told.map((_, index) => told[(index * 7 + order) % told.length]!)
    await news.tell(order % 2 === 0 ? turned : turned.toReversed())
    await news.tell(renamed(told))
    assert.equal(await money(owner), 800)
    outcomes.add(JSON.stringify([await balances(), await documents()]))
    assert.ok((await journal()).length >= 4)
    await sound(owner)
  }
  assert.equal(outcomes.size, 1)
})

test('a refund at the processor reverses the purchased credits first and issues a credit note with GST', async () => {
  const { owner, refundOutside, journal, balances, documents, eventData } = await paid()
  await give(owner, 50)
  await refundOutside(440)
  const told = await news.collect()
  await news.tell([...told, ...renamed(told)])
  assert.deepEqual((await journal()).slice(3), ['refund -440', 'payment -440', 'tax 40'])
  assert.deepEqual(await lotsOf(owner), ['purchase 660 440', 'grant_manual 50 0'])
  assert.deepEqual((await documents()).toSorted(), ['CN-000001 440 paid', 'R-000001 1100 paid'])
  assert.deepEqual(await balances(), {
    'promo.expense': -50,
    revenue: -60,
    'stripe.clearing': -660,
    tax: 60,
    'wallet.available': 710,
  })
  await refundOutside(660)
  await news.tell(await news.collect())
  assert.deepEqual(await balances(), { 'promo.expense': -50, 'wallet.available': 50 })
  assert.deepEqual(
    (await eventData('topup.refunded')).map(({ credits, taken_credits }) => [credits, taken_credits]),
    [
      [440, 440],
      [660, 660],
    ],
  )
  await sound(owner)
})

test('a refund of spent credits reverses what is available; the rest is owed and not reversed later', async () => {
  const { owner, refundOutside, balances } = await paid()
  await spendCredits(owner, 1000)
  await refundOutside(1100)
  const told = await news.collect()
  await news.tell(told)
  assert.equal(await money(owner), 0)
  assert.equal((await balances())['refunds'], -1000)
  await give(owner, 500)
  await news.tell(renamed(told))
  assert.equal(await money(owner), 500)
  await sound(owner)
})

test('a refund event that arrives before the charge event completes the top-up first', async () => {
  const { owner, topups } = await payingOrganization(holdings, bench)
  await news.collect()
  const outside = { ...holdings.outside, payments: losing(holdings.payments, ['charge'], () => true) }
  await assert.rejects(ask({ ...owner, outside }, 'billing.topup', { credits: 1100 }), { problem: 'upstream' })
  const [event] = await news.collect()
  await holdings.payments.refund({ intent: event!.object_id, amount_cents: 100, metadata: {} }, event!.id)
  await news.tell(await news.collect())
  assert.equal((await topups())[0]!.state, 'succeeded')
  assert.equal(await money(owner), 1000)
})

test('an open dispute reverses credits, and a won one restores them to the same lots', async () => {
  const { owner, intent, journal, balances, events } = await paid()
  const status = async () =>
    (
      await ask<{ billing_status: { status: string } }>(owner, 'billing.status.get', {
        organization_id: owner.organization,
      })
    ).billing_status.status
  await give(owner, 200)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  const told = await news.collect()
  await news.tell([...told, ...renamed(told)])
  assert.deepEqual(await lotsOf(owner), ['purchase 0 1100', 'grant_manual 200 0'])
  assert.deepEqual([await money(owner), (await balances())['refunds']], [200, 1100])
  assert.equal(await status(), 'past_due')
  await holdings.payments.closeDispute(id, 'won')
  const closed = await news.collect()
  await news.tell([...closed, ...renamed(closed), ...renamed(renamed(told))])
  assert.deepEqual(await lotsOf(owner), ['purchase 1100 0', 'grant_manual 200 0'])
  assert.equal((await balances())['refunds'], undefined)
  assert.deepEqual((await journal()).slice(-2), ['dispute_hold -1100', 'dispute_won 1100'])
  assert.deepEqual(
    (await events()).filter((kind) => kind.startsWith('dispute.')),
    ['dispute.opened', 'dispute.closed'],
  )
  assert.equal(await status(), 'active')
  await sound(owner)
})

test('a dispute reverses at most the balance, and restored credits of expired lots are written off', async () => {
  const { owner, intent, journal } = await paid()
  await spendCredits(owner, 1000)
  const end = new Date(holdings.clock.now().getTime() + 60_000)
  await give(owner, 30, 10, end)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  await news.tell(await news.collect())
  assert.equal(await money(owner), 0)
  holdings.clock.advance(60_000)
  await holdings.payments.closeDispute(id, 'won')
  await news.tell(await news.collect())
  assert.deepEqual((await journal()).slice(-3), ['dispute_hold -130', 'dispute_won 130', 'expire -30'])
  assert.equal(await money(owner), 100)
  await sound(owner)
})

test('a lost dispute records the payout, and the uncovered amount is owed', async () => {
  const { owner, intent, journal, balances } = await paid()
  await spendCredits(owner, 800)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  await news.tell(await news.collect())
  await holdings.payments.closeDispute(id, 'lost')
  const told = await news.collect()
  await news.tell([...told, ...renamed(told)])
  assert.deepEqual((await journal()).slice(-3), ['dispute_hold -300', 'dispute_lost -1100', 'tax 100'])
  assert.deepEqual([(await balances())['refunds'], (await balances())['stripe.clearing']], [-800, undefined])
  await give(owner, 500)
  await news.tell(renamed(renamed(told)))
  assert.equal(await money(owner), 500)
  await sound(owner)
})

test('refunds and lost disputes of a card payment are each recorded once with a credit note', async () => {
  const { owner, organization, journal, balances, documents, events } = await payingOrganization(holdings, bench)
  await holdings.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const order = await spend(owner, { amount_credits: 1100, subject: 'order' }, async (_tx, held) => held)
  await owner.transaction((tx) => settleSpend(tx, owner, order.hold_id, 1100))
  await bench.run()
  const [card] = await owner.db.query<{ intent: string }>(sql`
    select intent from card_authorisations where organization_id = ${organization}`)
  await news.collect()
  await holdings.payments.refund({ intent: card!.intent, amount_cents: 330, metadata: {} }, newId())
  const refunded = await news.collect()
  await news.tell([...refunded, ...refunded])
  await news.tell(renamed(refunded))
  assert.deepEqual((await documents()).toSorted(), ['CN-000001 330 paid', 'R-000001 1100 paid'])
  const { id: dispute } = await holdings.payments.openDispute(card!.intent, 770)
  await holdings.payments.closeDispute(dispute, 'lost')
  await news.tell((await news.collect()).toReversed())
  assert.deepEqual((await journal()).slice(2), ['tax -100', 'refund -330', 'tax 30', 'dispute_lost -770', 'tax 70'])
  assert.deepEqual(await balances(), { refunds: -1100, revenue: 1100 })
  assert.equal((await events()).filter((kind) => kind === 'payment.refunded').length, 1)
  await sound(owner)
})

test('a dispute whose closing event arrives first is not reopened: won reverses nothing, lost reverses the credits', async () => {
  for (const [outcome, left] of [
    ['won', 1100],
    ['lost', 0],
  ] as const) {
    const { owner, intent } = await paid()
    const { id } = await holdings.payments.openDispute(intent, 1100)
    const opened = await news.collect()
    await holdings.payments.closeDispute(id, outcome)
    await news.tell(await news.collect())
    await news.tell(opened)
    assert.equal(await money(owner), left, outcome)
    const [row] = await owner.db.query<{ state: string }>(sql`
      select state from payment_disputes where organization_id = ${owner.organization}`)
    assert.equal(row!.state, outcome)
  }
})

test('hold.ending is emitted if an authorisation is cancelled at the processor, but not if this server cancels it', async () => {
  const { owner, organization, events } = await payingOrganization(holdings, bench)
  await holdings.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  await news.collect()
  const pay = () => spend(owner, { amount_credits: 700, subject: 'test' }, async (_tx, held) => held)
  await pay()
  const [row] = await owner.db.query<{ intent: string }>(sql`
    select intent from card_authorisations where organization_id = ${organization}`)
  await news.tell(await news.collect())
  assert.ok(!(await events()).includes('hold.ending'))
  await holdings.payments.cancel(row!.intent, 'outside')
  await news.tell(await news.collect())
  assert.equal((await events()).filter((kind) => kind === 'hold.ending').length, 1)
})

test('events of foreign or unknown objects and of unknown types are applied without effect', async () => {
  const created = holdings.clock.now()
  const customer = await holdings.payments.createCustomer(
    { organization_id: newId(), name: 'x', email: null },
    'stranger',
  )
  const card = await holdings.payments.attach(customer.id, 'pm_card_good')
  const terms = { customer: customer.id, payment_method: card.id, amount_cents: 500, capture: 'automatic' } as const
  const foreign = await holdings.payments.charge({ ...terms, metadata: {} }, 'foreign')
  const odd = await holdings.payments.charge({ ...terms, metadata: { organization_id: 'x', topup_id: 'y' } }, 'odd')
  await news.collect()
  await news.tell(
    [foreign.id, odd.id, 'pi_nobody'].flatMap((object_id, index) =>
      ['payment_intent.succeeded', 'charge.refunded', 'charge.dispute.created', 'customer.created'].map((type) => ({
        id: `evt_${index}_${type}`,
        type,
        object_id,
        created,
        data: {},
      })),
    ),
  )
  const open = await holdings.database.across.query(sql`select id from payment_events where applied_at is null`)
  assert.deepEqual(open, [])
})

test('an event that cannot be applied while the processor is unavailable is retried later', async () => {
  const { owner, intent } = await paid()
  await holdings.payments.refund({ intent, amount_cents: 100, metadata: {} }, `${intent}:away`)
  const find: Payments['find'] = async () => {
    throw new PaymentsFailure('unavailable', 'The processor is unavailable.')
  }
  const dark = openBench({ ...holdings, outside: { ...holdings.outside, payments: { ...holdings.payments, find } } })
  for (const event of await news.collect()) {
    await receiveEvent({ database: holdings.database, queue: bench.queue, clock: holdings.clock }, event)
    await assert.rejects(
      dark.once('billing.apply-payment-event', { event_id: event.id }),
      /The processor is unavailable/,
    )
  }
  assert.equal(await money(owner), 1100)
  await bench.run()
  assert.equal(await money(owner), 1000)
})
