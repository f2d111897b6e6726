import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import {
  PaymentsFailure,
  type PaymentProcessor,
  type PaymentProcessorEvent,
} from '../../../platform/integrations/payments/payments.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import {
  callOperation,
  createClaim,
  withLostResponses,
  createPayingOrganization,
} from '../../../../test/payment-fixtures.ts'
import { createWebhookFixture, type WebhookFixture } from '../../../../test/webhook-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { readWalletBalance, grantCredits, deductCredits } from '../../ledger/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { receivePaymentProcessorEvent } from './processor-events.ts'
import { capturePaymentHold, runWithReservedPayment } from '../../billing/payment.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
let news: WebhookFixture

before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
  news = createWebhookFixture(holdings, bench)
})
after(() => holdings?.close())

/** The same events with new ids. */
const withNewIds = (events: readonly PaymentProcessorEvent[]): PaymentProcessorEvent[] =>
  events.map((event) => ({ ...event, id: `${event.id}_again` }))

const readAvailableCredits = async (call: Call): Promise<number> =>
  (await readWalletBalance(call.db, call.organization, holdings.clock.forOrganization(call.organization).now()))
    .available_credits
const spendCredits = (call: Call, amount_credits: number) =>
  call.transaction((tx) =>
    deductCredits(tx, call, { amount_credits, reference: { type: 'test', id: 'test' }, note: 'spent' }),
  )
const grantManually = (call: Call, amount_credits: number, priority = 10, expires_at: Date | null = null) =>
  call.transaction((tx) =>
    grantCredits(tx, call, {
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
const assertLedgerValid = async (call: Call): Promise<void> =>
  assert.deepEqual((await verifyLedger(call.db, call.organization)).faults, [])

/** An organization with one paid top-up of 1,100 whose events are not delivered yet. */
async function createPaidTopup() {
  const fixture = await createPayingOrganization(holdings, bench)
  await news.collectEvents()
  await callOperation(fixture.owner, 'billing.topup', { credits: 1100 })
  const [{ id, intent }] = (await fixture.topups()) as unknown as [{ id: string; intent: string }]
  const refundAtProcessor = (amount_cents: number) =>
    holdings.payments.refund({ intent, amount_cents, metadata: {} }, `${intent}:${amount_cents}`)
  return { ...fixture, id, intent, refundAtProcessor }
}

test('a webhook grants an abandoned top-up once, also if it is delivered twice or with another id', async () => {
  const { owner, journal, events } = await createPayingOrganization(holdings, bench, 'pm_card_3ds')
  const error = await callOperation(owner, 'billing.topup', { credits: 1100 }).catch(
    (refused: { extra: { client_secret: string } }) => refused,
  )
  await news.collectEvents()
  await holdings.payments.settleChallenge(
    (error as { extra: { client_secret: string } }).extra.client_secret,
    'complete',
  )
  const collected = await news.collectEvents()
  await news.deliverEvents([...collected, ...collected])
  await news.deliverEvents(withNewIds(collected))
  await news.deliverEvents(collected)
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.equal((await events()).filter((kind) => kind === 'topup.succeeded').length, 1)
  await assertLedgerValid(owner)
})

test('a webhook grants a top-up whose response was lost, and a retry returns it', async () => {
  const { owner, journal, charges } = await createPayingOrganization(holdings, bench)
  await news.collectEvents()
  const outside = { ...holdings.integrations, payments: withLostResponses(holdings.payments, ['charge'], () => true) }
  const claimed = { ...owner, claim: createClaim() }
  await assert.rejects(callOperation({ ...claimed, integrations: outside }, 'billing.topup', { credits: 1100 }), {
    problem: 'upstream',
  })
  await news.deliverEvents(await news.collectEvents())
  assert.equal(await readAvailableCredits(owner), 1100)
  assert.equal((await callOperation(claimed, 'billing.topup', { credits: 1100 }))['status'], 'succeeded')
  assert.deepEqual([await journal(), await charges()], [['purchase 1100', 'tax -100'], ['succeeded 1100']])
})

test('a webhook that reports a decline before the response fails the top-up', async () => {
  const { owner, topups, eventData, journal } = await createPayingOrganization(holdings, bench, 'pm_card_declined')
  await news.collectEvents()
  const charge: PaymentProcessor['charge'] = (chargeRequest, key) =>
    holdings.payments.charge(chargeRequest, key).catch(() => {
      throw new PaymentsFailure('unavailable', 'The line was cut.')
    })
  const outside = { ...holdings.integrations, payments: { ...holdings.payments, charge } }
  await assert.rejects(callOperation({ ...owner, integrations: outside }, 'billing.topup', { credits: 1100 }), {
    problem: 'upstream',
  })
  await news.deliverEvents(await news.collectEvents())
  assert.deepEqual(
    (await topups()).map(({ state, failure_code }) => [state, failure_code]),
    [['failed', 'card_declined']],
  )
  assert.deepEqual([(await eventData('topup.failed')).length, await journal()], [1, []])
})

test('all events of a top-up give the same result in ten orders and delivered twice', async () => {
  const outcomes = new Set<string>()
  for (let order = 0; order < 10; order++) {
    const { owner, intent, refundAtProcessor, journal, balances, documents } = await createPaidTopup()
    await refundAtProcessor(300)
    const { id: dispute } = await holdings.payments.openDispute(intent, 500)
    await holdings.payments.closeDispute(dispute, 'won')
    const collected = await news.collectEvents()
    const reordered = collected.map((_, index) => collected[(index * 7 + order) % collected.length]!)
    await news.deliverEvents(order % 2 === 0 ? reordered : reordered.toReversed())
    await news.deliverEvents(withNewIds(collected))
    assert.equal(await readAvailableCredits(owner), 800)
    outcomes.add(JSON.stringify([await balances(), await documents()]))
    assert.ok((await journal()).length >= 4)
    await assertLedgerValid(owner)
  }
  assert.equal(outcomes.size, 1)
})

test('a refund at the processor reverses the purchased credits first and issues a credit note with GST', async () => {
  const { owner, refundAtProcessor, journal, balances, documents, eventData } = await createPaidTopup()
  await grantManually(owner, 50)
  await refundAtProcessor(440)
  const collected = await news.collectEvents()
  await news.deliverEvents([...collected, ...withNewIds(collected)])
  assert.deepEqual((await journal()).slice(3), ['refund -440', 'payment -440', 'tax 40'])
  assert.deepEqual(await lotsOf(owner), ['purchase 660 440', 'grant_manual 50 0'])
  assert.deepEqual((await documents()).toSorted(), ['credit_note 440 paid', 'receipt 1100 paid'])
  assert.deepEqual(await balances(), {
    'promo.expense': -50,
    revenue: -60,
    'stripe.clearing': -660,
    tax: 60,
    'wallet.available': 710,
  })
  await refundAtProcessor(660)
  await news.deliverEvents(await news.collectEvents())
  assert.deepEqual(await balances(), { 'promo.expense': -50, 'wallet.available': 50 })
  assert.deepEqual(
    (await eventData('topup.refunded')).map(({ credits, taken_credits }) => [credits, taken_credits]),
    [
      [440, 440],
      [660, 660],
    ],
  )
  await assertLedgerValid(owner)
})

test('a refund of spent credits reverses the available ones; the rest is owed and not reversed later', async () => {
  const { owner, refundAtProcessor, balances } = await createPaidTopup()
  await spendCredits(owner, 1000)
  await refundAtProcessor(1100)
  const collected = await news.collectEvents()
  await news.deliverEvents(collected)
  assert.equal(await readAvailableCredits(owner), 0)
  assert.equal((await balances())['refunds'], -1000)
  await grantManually(owner, 500)
  await news.deliverEvents(withNewIds(collected))
  assert.equal(await readAvailableCredits(owner), 500)
  await assertLedgerValid(owner)
})

test('a refund event that arrives before the charge event completes the top-up first', async () => {
  const { owner, topups } = await createPayingOrganization(holdings, bench)
  await news.collectEvents()
  const outside = { ...holdings.integrations, payments: withLostResponses(holdings.payments, ['charge'], () => true) }
  await assert.rejects(callOperation({ ...owner, integrations: outside }, 'billing.topup', { credits: 1100 }), {
    problem: 'upstream',
  })
  const [event] = await news.collectEvents()
  await holdings.payments.refund({ intent: event!.object_id, amount_cents: 100, metadata: {} }, event!.id)
  await news.deliverEvents(await news.collectEvents())
  assert.equal((await topups())[0]!.state, 'succeeded')
  assert.equal(await readAvailableCredits(owner), 1000)
})

test('an open dispute reverses credits, and a won one restores them to the same lots', async () => {
  const { owner, intent, journal, balances, events } = await createPaidTopup()
  const status = async () =>
    (
      await callOperation<{ billing_status: { status: string } }>(owner, 'billing.status.get', {
        organization_id: owner.organization,
      })
    ).billing_status.status
  await grantManually(owner, 200)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  const collected = await news.collectEvents()
  await news.deliverEvents([...collected, ...withNewIds(collected)])
  assert.deepEqual(await lotsOf(owner), ['purchase 0 1100', 'grant_manual 200 0'])
  assert.deepEqual([await readAvailableCredits(owner), (await balances())['refunds']], [200, 1100])
  assert.equal(await status(), 'past_due')
  await holdings.payments.closeDispute(id, 'won')
  const closed = await news.collectEvents()
  await news.deliverEvents([...closed, ...withNewIds(closed), ...withNewIds(withNewIds(collected))])
  assert.deepEqual(await lotsOf(owner), ['purchase 1100 0', 'grant_manual 200 0'])
  assert.equal((await balances())['refunds'], undefined)
  assert.deepEqual((await journal()).slice(-2), ['dispute_hold -1100', 'dispute_won 1100'])
  assert.deepEqual(
    (await events()).filter((kind) => kind.startsWith('dispute.')),
    ['dispute.opened', 'dispute.closed'],
  )
  assert.equal(await status(), 'active')
  await assertLedgerValid(owner)
})

test('a dispute reverses at most the balance, and restored credits of expired lots are written off', async () => {
  const { owner, intent, journal } = await createPaidTopup()
  await spendCredits(owner, 1000)
  const end = new Date(holdings.clock.now().getTime() + 60_000)
  await grantManually(owner, 30, 10, end)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  await news.deliverEvents(await news.collectEvents())
  assert.equal(await readAvailableCredits(owner), 0)
  holdings.clock.advance(60_000)
  await holdings.payments.closeDispute(id, 'won')
  await news.deliverEvents(await news.collectEvents())
  assert.deepEqual((await journal()).slice(-3), ['dispute_hold -130', 'dispute_won 130', 'expire -30'])
  assert.equal(await readAvailableCredits(owner), 100)
  await assertLedgerValid(owner)
})

test('a lost dispute records the payout, and the uncovered amount is owed', async () => {
  const { owner, intent, journal, balances } = await createPaidTopup()
  await spendCredits(owner, 800)
  const { id } = await holdings.payments.openDispute(intent, 1100)
  await news.deliverEvents(await news.collectEvents())
  await holdings.payments.closeDispute(id, 'lost')
  const collected = await news.collectEvents()
  await news.deliverEvents([...collected, ...withNewIds(collected)])
  assert.deepEqual((await journal()).slice(-3), ['dispute_hold -300', 'dispute_lost -1100', 'tax 100'])
  assert.deepEqual([(await balances())['refunds'], (await balances())['stripe.clearing']], [-800, undefined])
  await grantManually(owner, 500)
  await news.deliverEvents(withNewIds(withNewIds(collected)))
  assert.equal(await readAvailableCredits(owner), 500)
  await assertLedgerValid(owner)
})

test('refunds and lost disputes of a card payment are each recorded once with a credit note', async () => {
  const { owner, organization, journal, balances, documents, events } = await createPayingOrganization(holdings, bench)
  await holdings.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const order = await runWithReservedPayment(
    owner,
    { amount_credits: 1100, subject: 'order' },
    async (_tx, held) => held,
  )
  await owner.transaction((tx) => capturePaymentHold(tx, owner, { hold_id: order.hold_id, amount_credits: 1100 }))
  await bench.runPending()
  const [card] = await owner.db.query<{ intent: string }>(sql`
    select intent from card_authorisations where organization_id = ${organization}`)
  await news.collectEvents()
  await holdings.payments.refund({ intent: card!.intent, amount_cents: 330, metadata: {} }, newId())
  const refunded = await news.collectEvents()
  await news.deliverEvents([...refunded, ...refunded])
  await news.deliverEvents(withNewIds(refunded))
  assert.deepEqual((await documents()).toSorted(), ['credit_note 330 paid', 'receipt 1100 paid'])
  const { id: dispute } = await holdings.payments.openDispute(card!.intent, 770)
  await holdings.payments.closeDispute(dispute, 'lost')
  await news.deliverEvents((await news.collectEvents()).toReversed())
  assert.deepEqual((await journal()).slice(2), ['tax -100', 'refund -330', 'tax 30', 'dispute_lost -770', 'tax 70'])
  assert.deepEqual(await balances(), { refunds: -1100, revenue: 1100 })
  assert.equal((await events()).filter((kind) => kind === 'payment.refunded').length, 1)
  await assertLedgerValid(owner)
})

test('a dispute whose closing event arrives first is not reopened: won reverses nothing, lost reverses the credits', async () => {
  for (const [outcome, left] of [
    ['won', 1100],
    ['lost', 0],
  ] as const) {
    const { owner, intent } = await createPaidTopup()
    const { id } = await holdings.payments.openDispute(intent, 1100)
    const opened = await news.collectEvents()
    await holdings.payments.closeDispute(id, outcome)
    await news.deliverEvents(await news.collectEvents())
    await news.deliverEvents(opened)
    assert.equal(await readAvailableCredits(owner), left, outcome)
    const [row] = await owner.db.query<{ state: string }>(sql`
      select state from payment_disputes where organization_id = ${owner.organization}`)
    assert.equal(row!.state, outcome)
  }
})

test('hold.ending is emitted if an authorisation is cancelled at the processor, but not if this server cancels it', async () => {
  const { owner, organization, events } = await createPayingOrganization(holdings, bench)
  await holdings.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  await news.collectEvents()
  const pay = () => runWithReservedPayment(owner, { amount_credits: 700, subject: 'test' }, async (_tx, held) => held)
  await pay()
  const [row] = await owner.db.query<{ intent: string }>(sql`
    select intent from card_authorisations where organization_id = ${organization}`)
  await news.deliverEvents(await news.collectEvents())
  assert.ok(!(await events()).includes('hold.ending'))
  await holdings.payments.cancel(row!.intent, 'outside')
  await news.deliverEvents(await news.collectEvents())
  assert.equal((await events()).filter((kind) => kind === 'hold.ending').length, 1)
})

test('events of foreign or unknown objects and of unknown types are applied without effect', async () => {
  const created = holdings.clock.now()
  const customer = await holdings.payments.createCustomer(
    { organization_id: newId(), name: 'x', email: null },
    'stranger',
  )
  const card = await holdings.payments.attach(customer.id, 'pm_card_good')
  const chargeRequest = {
    customer: customer.id,
    payment_method: card.id,
    amount_cents: 500,
    capture: 'automatic',
  } as const
  const foreign = await holdings.payments.charge({ ...chargeRequest, metadata: {} }, 'foreign')
  const malformed = await holdings.payments.charge(
    { ...chargeRequest, metadata: { organization_id: 'x', topup_id: 'y' } },
    'odd',
  )
  await news.collectEvents()
  await news.deliverEvents(
    [foreign.id, malformed.id, 'pi_nobody'].flatMap((object_id, index) =>
      ['payment_intent.succeeded', 'charge.refunded', 'charge.dispute.created', 'customer.created'].map((type) => ({
        id: `evt_${index}_${type}`,
        type,
        object_id,
        created,
        data: {},
      })),
    ),
  )
  const open = await holdings.database.unscoped.query(sql`select id from payment_events where applied_at is null`)
  assert.deepEqual(open, [])
})

test('an event that cannot be applied while the processor is unavailable is retried later', async () => {
  const { owner, intent } = await createPaidTopup()
  await holdings.payments.refund({ intent, amount_cents: 100, metadata: {} }, `${intent}:away`)
  const find: PaymentProcessor['find'] = async () => {
    throw new PaymentsFailure('unavailable', 'The processor is unavailable.')
  }
  const unavailableBench = createTaskRunner({
    ...holdings,
    integrations: { ...holdings.integrations, payments: { ...holdings.payments, find } },
  })
  for (const event of await news.collectEvents()) {
    await receivePaymentProcessorEvent(
      { database: holdings.database, queue: bench.queue, clock: holdings.clock },
      event,
    )
    await assert.rejects(
      unavailableBench.runTask(backgroundTaskTypes.applyPaymentEvent, { event_id: event.id }),
      /The processor is unavailable/,
    )
  }
  assert.equal(await readAvailableCredits(owner), 1100)
  await bench.runPending()
  assert.equal(await readAvailableCredits(owner), 1000)
})
