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
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { readWalletBalance, grantCredits } from '../../ledger/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { receivePaymentProcessorEvent } from '../../card-payments/processor/processor-events.ts'
import { runWithReservedPayment } from '../payment.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

const readAvailableCredits = async (call: Call): Promise<number> =>
  (await readWalletBalance(call.db, call.organization, holdings.clock.forOrganization(call.organization).now()))
    .available_credits
const requestRefund = (call: Call, topup_id: string, options: object = {}) =>
  callOperation<{ id: string; credits: number; status: string }>(call, 'billing.refunds.request', {
    topup_id,
    ...options,
  })

/** Creates an organization that has purchased 1,100 credits. */
async function createPaidTopup() {
  const fixture = await createPayingOrganization(holdings, bench)
  await callOperation(fixture.owner, 'billing.topup', { credits: 1100 })
  const [{ id: topup, intent }] = (await fixture.topups()) as unknown as [{ id: string; intent: string }]
  const refunded = async () => (await holdings.payments.find(intent)).refunded_cents
  const states = async () =>
    (
      await fixture.owner.db.query<{ state: string }>(sql`
        select state from payment_refunds where organization_id = ${fixture.organization} order by created_at, id`)
    ).map(({ state }) => state)
  const assertLedgerValid = async () =>
    assert.deepEqual((await verifyLedger(fixture.owner.db, fixture.organization)).faults, [])
  return { ...fixture, topup, intent, refunded, states, assertLedgerValid }
}

/** A task runner with some methods of the payment processor replaced. */
const benchWith = (overrides: Partial<PaymentProcessor>): TaskRunner =>
  createTaskRunner({
    ...holdings,
    integrations: { ...holdings.integrations, payments: { ...holdings.payments, ...overrides } },
  })

test('a refund reverses unspent credits at once, then refunds the card and issues a credit note', async () => {
  const { owner, topup, journal, balances, documents, refunded, states, assertLedgerValid, eventData } =
    await createPaidTopup()
  const fixture = await requestRefund(owner, topup, { credits: 440, reason: 'too many' })
  assert.deepEqual([fixture.credits, fixture.status], [440, 'pending'])
  assert.deepEqual([await readAvailableCredits(owner), await refunded(), await states()], [660, 0, ['starting']])
  await bench.runPending()
  assert.deepEqual([await refunded(), await states()], [440, ['succeeded']])
  assert.deepEqual((await journal()).slice(2), ['refund -440', 'payment -440', 'tax 40'])
  assert.deepEqual(await documents(), ['credit_note 440 paid', 'receipt 1100 paid'])
  assert.equal((await requestRefund(owner, topup)).credits, 660, 'the whole remainder')
  await bench.runPending()
  assert.deepEqual(await balances(), {})
  assert.deepEqual(
    (await eventData('topup.refunded')).map(({ credits }) => credits),
    [440, 660],
  )
  await assert.rejects(requestRefund(owner, topup), { problem: 'invalid-state' })
  await assertLedgerValid()
})

test('refunding more than the unspent credits of the top-up is refused and writes nothing', async () => {
  const { owner, topup, journal, states } = await createPaidTopup()
  await owner.transaction((tx) =>
    grantCredits(tx, owner, {
      kind: 'grant_manual',
      amount_credits: 500,
      priority: 90,
      reference: { type: 'test', id: 'x' },
    }),
  )
  await runWithReservedPayment(owner, { amount_credits: 600, subject: 'test' }, async (_tx, held) => held)
  const before = await journal()
  await assert.rejects(requestRefund(owner, topup, { credits: 501 }), {
    problem: 'invalid-state',
    extra: { refundable_credits: 500 },
  })
  assert.deepEqual([await journal(), await states()], [before, []])
  assert.equal((await requestRefund(owner, topup)).credits, 500)
})

test('refunding an unpaid, foreign or unknown top-up is refused', async () => {
  const [ours, theirs] = [await createPaidTopup(), await createPaidTopup()]
  for (const id of [theirs.topup, newId()]) {
    await assert.rejects(requestRefund(ours.owner, id), { problem: 'not-found' })
  }
  const declined = await createPayingOrganization(holdings, bench, 'pm_card_declined')
  await assert.rejects(callOperation(declined.owner, 'billing.topup', { credits: 1100 }))
  const [{ id }] = (await declined.topups()) as unknown as [{ id: string }]
  await assert.rejects(requestRefund(declined.owner, id), { problem: 'invalid-state' })
})

test('users with a billing role can request refunds; API keys and members cannot', async () => {
  const { owner, createMember, topup } = await createPaidTopup()
  const principal = { ...owner.principal, kind: 'api_key', id: newId(), role: null } as const
  await assert.rejects(requestRefund({ ...owner, principal }, topup), { problem: 'user-required' })
  await assert.rejects(requestRefund(await createMember('member'), topup), { problem: 'forbidden' })
  assert.equal((await requestRefund(await createMember('billing'), topup)).credits, 1100)
})

test('a retry with the same key is one refund, and concurrent refunds never exceed the credits', async () => {
  const { owner, topup, refunded, states, assertLedgerValid } = await createPaidTopup()
  const call = { ...owner, claim: createClaim() }
  const first = await requestRefund(call, topup, { credits: 100 })
  assert.deepEqual(await requestRefund(call, topup, { credits: 100 }), first)
  const settled = await Promise.allSettled(
    Array.from({ length: 6 }, () => requestRefund(owner, topup, { credits: 300 })),
  )
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 3)
  await bench.runPending()
  assert.deepEqual([await refunded(), (await states()).length], [1000, 4])
  await assertLedgerValid()
})

test('a refund whose response was lost is not sent twice, by its key or by comparing totals', async () => {
  const { owner, organization, topup, refunded, states, journal, assertLedgerValid } = await createPaidTopup()
  const { id: refund_id } = await requestRefund(owner, topup, { credits: 300 })
  const data = { organization_id: organization, refund_id }
  const lost = benchWith({ refund: withLostResponses(holdings.payments, ['refund'], () => true).refund })
  await assert.rejects(lost.runTask(backgroundTaskTypes.sendRefund, data), /connection was lost/)
  assert.deepEqual([await refunded(), await states()], [300, ['starting']])
  const forgetful = benchWith({
    refund: async () => assert.fail('the refund was already sent'),
  })
  await forgetful.runTask(backgroundTaskTypes.sendRefund, data)
  await bench.runPending()
  assert.deepEqual([await refunded(), await states()], [300, ['succeeded']])
  assert.deepEqual((await journal()).slice(2), ['refund -300', 'payment -300', 'tax 27'])
  await assertLedgerValid()
})

test('a refund that the processor rejects returns the credits to their lot and emits an event', async () => {
  const { owner, topup, balances, states, events, documents, assertLedgerValid } = await createPaidTopup()
  await requestRefund(owner, topup, { credits: 300 })
  const refusing = benchWith({
    refund: async () => {
      throw new PaymentsFailure('invalid', 'The charge cannot be refunded.')
    },
  })
  const [{ id: refund_id }] = (await owner.db.query(sql`
    select id from payment_refunds where organization_id = ${owner.organization}`)) as [{ id: string }]
  const data = { organization_id: owner.organization, refund_id }
  await refusing.runTask(backgroundTaskTypes.sendRefund, data)
  await refusing.runTask(backgroundTaskTypes.sendRefund, data)
  await bench.runPending()
  assert.deepEqual([await readAvailableCredits(owner), await states()], [1100, ['failed']])
  assert.deepEqual(await balances(), { revenue: -100, 'stripe.clearing': -1100, tax: 100, 'wallet.available': 1100 })
  assert.deepEqual(await documents(), ['receipt 1100 paid'])
  assert.equal((await events()).filter((kind) => kind === 'topup.refund_failed').length, 1)
  assert.equal((await requestRefund(owner, topup)).credits, 1100)
  await assertLedgerValid()
})

test('a refund and a concurrent one at the processor leave the ledger equal to the refunded total', async () => {
  for (const outside of [200, 1100]) {
    const { owner, topup, intent, balances, refunded, states, assertLedgerValid } = await createPaidTopup()
    await requestRefund(owner, topup, { credits: 600 })
    await holdings.payments.refund({ intent, amount_cents: outside, metadata: {} }, `${intent}:outside`)
    await bench.runPending()
    const event: PaymentProcessorEvent = {
      id: `evt_${newId()}`,
      type: 'charge.refunded',
      object_id: intent,
      created: holdings.clock.now(),
      data: {},
    }
    const dependencies = { database: holdings.database, queue: bench.queue, clock: holdings.clock }
    await receivePaymentProcessorEvent(dependencies, event)
    await receivePaymentProcessorEvent(dependencies, { ...event, id: `${event.id}_again` })
    await bench.runPending()
    const refunded_cents = await refunded()
    assert.equal(refunded_cents, outside === 200 ? 800 : 1100)
    assert.deepEqual([await readAvailableCredits(owner), await states()], [1100 - refunded_cents, ['succeeded']])
    const { 'stripe.clearing': clearing = 0, refunds = 0 } = await balances()
    assert.deepEqual([clearing, refunds], [refunded_cents - 1100, 0])
    await assertLedgerValid()
  }
})

test('refunding a disputed charge is refused', async () => {
  const { owner, topup, intent } = await createPaidTopup()
  const { id: dispute } = await holdings.payments.openDispute(intent, 200)
  const event = { type: 'charge.dispute.created', object_id: intent, created: holdings.clock.now() }
  await receivePaymentProcessorEvent(
    { database: holdings.database, queue: bench.queue, clock: holdings.clock },
    { ...event, id: `evt_${newId()}`, data: { dispute, amount_cents: 200, status: 'open' } },
  )
  await bench.runPending()
  await assert.rejects(requestRefund(owner, topup), { problem: 'invalid-state' })
})

test("lists the processor's invoices, and none without a customer", async () => {
  const { owner } = await createPayingOrganization(holdings, bench, null)
  const list = (call: Call) => callOperation<{ invoices: object[] }>(call, 'billing.stripe_invoices.list', { limit: 5 })
  assert.deepEqual((await list(owner)).invoices, [])
  await callOperation(owner, 'payment_methods.attach', { payment_method_id: 'pm_card_good' })
  assert.deepEqual((await list(owner)).invoices, [])
  const invoiceFields = { id: 'in_1', number: 'A-1', status: 'paid', currency: 'AUD', hosted_url: null, pdf_url: null }
  const receivedArguments: unknown[] = []
  const payments: PaymentProcessor = {
    ...holdings.payments,
    invoices: async (...args) => {
      receivedArguments.push(...args)
      return [{ ...invoiceFields, total_cents: 1234, created: new Date(0) }]
    },
  }
  const { invoices } = await list({ ...owner, integrations: { ...holdings.integrations, payments } })
  assert.deepEqual(invoices, [{ ...invoiceFields, total_aud: 12.34, created_at: '1970-01-01T00:00:00.000Z' }])
  assert.deepEqual([typeof receivedArguments[0], receivedArguments[1]], ['string', 5])
})
