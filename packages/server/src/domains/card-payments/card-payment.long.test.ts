import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms, hour_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { PaymentsFailure, type PaymentProcessor } from '../../platform/integrations/payments/payments.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { createTaskRunner, type TaskRunner } from '../../../test/task-runner.ts'
import { upsertCustomerId } from '../payment_methods/store.ts'
import {
  releasePaymentHold,
  capturePaymentHold,
  runWithReservedPayment,
  type PaymentReservation,
} from '../billing/payment.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

/** The idempotency claim of a call that is retried with its key. */
function claimOf() {
  let state: { recoveryPoint: string; recoveryData: Readonly<Record<string, unknown>> } = {
    recoveryPoint: 'claimed',
    recoveryData: {},
  }
  return {
    key: newId(),
    get recoveryPoint() {
      return state.recoveryPoint
    },
    get recoveryData() {
      return state.recoveryData
    },
    checkpoint: async (_tx: unknown, point: string, data: Readonly<Record<string, unknown>>) => {
      state = { recoveryPoint: point, recoveryData: data }
    },
  }
}

/** A free organization without credits and with one saved card. */
async function freeOrganization(card: string, payments: PaymentProcessor = holdings.payments) {
  const { owner, organization } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const now = owner.clock.now()
  const customer = await holdings.payments.createCustomer(
    { organization_id: organization, name: 'Test', email: null },
    organization,
  )
  const saved = await holdings.payments.attach(customer.id, card)
  await owner.transaction(async (tx) => {
    await upsertCustomerId(tx, { organization, env: 'embedded', customer: customer.id, at: now })
    await tx.query(sql`
      insert into payment_methods
        (organization_id, id, env, payment_method_id, kind, is_default, created_by, created_at)
      values (${organization}, ${newId()}, 'embedded', ${saved.id}, 'card', true, 'test', ${now})`)
  })
  const call: Call = {
    ...owner,
    queue: bench.queue,
    claim: claimOf(),
    integrations: { ...holdings.integrations, payments },
  }
  return { call, organization, ...readersOf(call) }
}

const readersOf = (call: Call) => ({
  plan: async () =>
    (
      await call.db.query<{ plan: string }>(sql`
        select plan from organizations where organization_id = ${call.organization}`)
    )[0]?.plan,
  pay: (amount_credits = 1000) =>
    runWithReservedPayment(call, { amount_credits, subject: 'order' }, async (_tx, reservation) => reservation),
  authorisations: () =>
    call.db.query<{ state: string; intent: string | null; captured_credits: number }>(sql`
      select state, intent, captured_credits from card_authorisations
      where organization_id = ${call.organization} order by created_at`),
  journal: async () =>
    (
      await call.db.query<{ line: string }>(sql`
        select kind || ' ' || amount_credits as line from journal_entries
        where organization_id = ${call.organization} order by position`)
    ).map(({ line }) => line),
  balances: async () =>
    Object.fromEntries(
      (
        await call.db.query<{ name: string; balance_credits: number }>(sql`
          select name, balance_credits from ledger_accounts
          where organization_id = ${call.organization} and balance_credits <> 0`)
      ).map((row) => [row.name, row.balance_credits]),
    ),
  deadlines: async () =>
    (
      await call.db.query<{ kind: string }>(sql`
        select kind from billing_deadlines where organization_id = ${call.organization} order by kind`)
    ).map(({ kind }) => kind),
  events: async () =>
    (
      await call.db.query<{ kind: string }>(sql`
        select kind from events where organization_id = ${call.organization} order by created_at, id`)
    ).map(({ kind }) => kind),
})

const intentOf = async (rows: readonly { intent: string | null }[]) => holdings.payments.find(rows[0]!.intent!)
const isProblem = (problem: string) => ({ problem })

test('a card is authorised at checkout and captured at delivery, up to the authorised amount', async () => {
  const { call, pay, authorisations, journal, balances, deadlines } = await freeOrganization('pm_card_good')
  const reservation = await pay()
  assert.equal(reservation.billing_mode, 'card')
  assert.deepEqual(await balances(), { 'card.authorised': 1000, 'stripe.clearing': -1000 })
  assert.equal((await intentOf(await authorisations())).status, 'requires_capture')
  assert.deepEqual(await deadlines(), ['card-renewal', 'hold-ending', 'hold-expiry'])

  await call.transaction((tx) => capturePaymentHold(tx, call, { hold_id: reservation.hold_id, amount_credits: 400 }))
  await bench.runPending()
  const intent = await intentOf(await authorisations())
  assert.deepEqual([intent.status, intent.captured_cents], ['succeeded', 400])
  assert.deepEqual(await journal(), ['hold -1000', 'release 600', 'capture -400', 'tax -36'])
  assert.deepEqual(await balances(), { revenue: 364, tax: 36, 'stripe.clearing': -400 })
  const [receipt] = await call.db.query<{ kind: string; total_cents: number; gst_cents: number }>(sql`
    select kind, total_cents, gst_cents from invoices where organization_id = ${call.organization}`)
  assert.deepEqual(receipt, { kind: 'receipt', total_cents: 400, gst_cents: 36 })
  assert.deepEqual(await deadlines(), [])
  await bench.runTask(backgroundTaskTypes.captureOrVoid, {
    organization_id: call.organization,
    authorisation_id: (await call.db.query<{ id: string }>(sql`select id from card_authorisations`))[0]!.id,
  })
  assert.equal((await intentOf(await authorisations())).captured_cents, 400)
})

test('settling a card payment ends the free plan, and the next payment is by card again', async () => {
  const { call, pay, plan } = await freeOrganization('pm_card_good')
  const { hold_id } = await pay()
  assert.equal(await plan(), 'free')
  await call.transaction((tx) => capturePaymentHold(tx, call, { hold_id, amount_credits: 400 }))
  assert.equal(await plan(), 'prepaid')
  assert.equal((await pay()).billing_mode, 'card')
})

test('releasing a card payment cancels its intent', async () => {
  const { call, pay, plan, authorisations, balances } = await freeOrganization('pm_card_good')
  const reservation = await pay()
  await call.transaction((tx) => releasePaymentHold(tx, call, reservation.hold_id))
  await bench.runPending()
  assert.equal((await intentOf(await authorisations())).status, 'canceled')
  assert.deepEqual((await authorisations())[0]!.state, 'voided')
  assert.deepEqual(await balances(), {})
  assert.equal(await plan(), 'free')
})

test('a declined card leaves no rows, and the idempotency key can be used again', async () => {
  const { call, pay, authorisations, journal, deadlines } = await freeOrganization('pm_card_declined')
  await assert.rejects(pay(), isProblem('payment-declined'))
  assert.deepEqual([await authorisations(), await journal(), await deadlines()], [[], [], []])
  assert.equal(call.claim!.recoveryPoint, 'refused')
})

test('retries return the same 3-D Secure challenge until it is completed, then the payment succeeds', async () => {
  const { call, pay, authorisations, journal } = await freeOrganization('pm_card_3ds')
  const secrets = new Set<unknown>()
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(pay(), (error: { problem: string; extra: Record<string, unknown> }) => {
      assert.equal(error.problem, 'payment-action-required')
      assert.match(String(error.extra['challenge_url']), /^http/)
      secrets.add(error.extra['client_secret'])
      return true
    })
  }
  assert.equal(secrets.size, 1)
  assert.deepEqual(await journal(), [])
  assert.equal(call.claim!.recoveryPoint, 'payment_pending')
  await holdings.payments.settleChallenge([...secrets][0] as string, 'complete')
  assert.equal((await pay()).billing_mode, 'card')
  assert.equal((await authorisations()).length, 1)
  assert.deepEqual(await journal(), ['hold -1000'])
})

test('a failed challenge answers payment-declined', async () => {
  const { pay, authorisations } = await freeOrganization('pm_card_3ds')
  const secret = await pay().then(
    () => assert.fail('was not challenged'),
    (error: { extra: { client_secret: string } }) => error.extra.client_secret,
  )
  await holdings.payments.settleChallenge(secret, 'fail')
  await assert.rejects(pay(), isProblem('payment-declined'))
  assert.deepEqual(await authorisations(), [])
})

test('a different amount under the same key starts a new authorisation and voids the first', async () => {
  const { pay, authorisations } = await freeOrganization('pm_card_3ds')
  await assert.rejects(pay(1000), isProblem('payment-action-required'))
  await assert.rejects(pay(1001), isProblem('payment-action-required'))
  await bench.runPending()
  const rows = await authorisations()
  assert.deepEqual(rows.map(({ state }) => state).sort(), ['action', 'voided'])
})

test('the authorisation of an abandoned challenge is voided within the hour', async () => {
  const { pay, authorisations, deadlines } = await freeOrganization('pm_card_3ds')
  await assert.rejects(pay(), isProblem('payment-action-required'))
  holdings.clock.advance(51 * 60_000)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
  assert.equal((await intentOf(await authorisations())).status, 'canceled')
  assert.deepEqual(await deadlines(), [])
})

test('the authorisation is voided if the effect fails', async () => {
  const { call, authorisations, journal } = await freeOrganization('pm_card_good')
  const failing = runWithReservedPayment(call, { amount_credits: 500, subject: 'order' }, async () => {
    throw new Error('no such project')
  })
  await assert.rejects(failing, /no such project/)
  await bench.runPending()
  assert.equal((await intentOf(await authorisations())).status, 'canceled')
  assert.deepEqual(await journal(), [])
  assert.equal(call.claim!.recoveryPoint, 'claimed')
})

test('a retry after a lost response uses the same authorisation', async () => {
  let isLost = true
  const payments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: async (request, key) => {
      const intent = await holdings.payments.charge(request, key)
      if (isLost) throw new PaymentsFailure('unavailable', 'The line was cut.')
      return intent
    },
  }
  const { pay, authorisations } = await freeOrganization('pm_card_good', payments)
  await assert.rejects(pay(), isProblem('upstream'))
  isLost = false
  assert.equal((await pay()).billing_mode, 'card')
  assert.equal((await authorisations()).length, 1)
})

test('an authorisation with a lost response that is not retried is found and voided', async () => {
  const createdIntents: string[] = []
  const payments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: async (request, key) => {
      createdIntents.push((await holdings.payments.charge(request, key)).id)
      throw new PaymentsFailure('unavailable', 'The line was cut.')
    },
  }
  const { pay } = await freeOrganization('pm_card_good', payments)
  await assert.rejects(pay(), isProblem('upstream'))
  holdings.clock.advance(51 * 60_000)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
  assert.equal((await holdings.payments.find(createdIntents[0]!)).status, 'canceled')
})

test('a payment whose authorisation is voided during the request is payment-declined, with code expired', async () => {
  const payments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: async (request, key) => {
      const intent = await holdings.payments.charge(request, key)
      holdings.clock.advance(51 * 60_000)
      await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
      return intent
    },
  }
  const { pay, authorisations, journal } = await freeOrganization('pm_card_good', payments)
  await assert.rejects(pay(), (error: { problem: string; extra: Record<string, unknown> }) => {
    assert.deepEqual([error.problem, error.extra['decline_code']], ['payment-declined', 'expired'])
    return true
  })
  await bench.runPending()
  const rows = await authorisations()
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['voided'],
  )
  assert.equal((await intentOf(rows)).status, 'canceled')
  assert.deepEqual(await journal(), [])
})

test('a card is reauthorised before its authorisation expires, and the old authorisation is voided', async () => {
  const { call, pay, authorisations } = await freeOrganization('pm_card_good')
  const reservation = await pay()
  const first = await intentOf(await authorisations())
  holdings.clock.advance(6 * day_ms + hour_ms)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
  const second = await intentOf(await authorisations())
  assert.notEqual(second.id, first.id)
  assert.equal((await holdings.payments.find(first.id)).status, 'canceled')
  holdings.clock.advance(5 * day_ms)
  await call.transaction((tx) => capturePaymentHold(tx, call, { hold_id: reservation.hold_id, amount_credits: 1000 }))
  await bench.runPending()
  assert.equal((await intentOf(await authorisations())).captured_cents, 1000)
})

test('hold.ending is emitted before the authorisation expires if the card cannot be reauthorised', async () => {
  const { pay, events, journal, call } = await freeOrganization('pm_card_good')
  const reservation: PaymentReservation = await pay()
  const [card] = await call.db.query<{ payment_method_id: string }>(sql`
    select payment_method_id from payment_methods where organization_id = ${call.organization}`)
  await holdings.payments.detach(card!.payment_method_id)
  holdings.clock.advance(6 * day_ms + hour_ms)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
  assert.deepEqual(await events(), ['hold.ending'])
  await call.transaction((tx) => releasePaymentHold(tx, call, reservation.hold_id))
  assert.deepEqual(await journal(), ['hold -1000', 'release 1000'])
  await bench.runPending()
})

test('a hold that its owner does not resolve expires without a charge', async () => {
  const { owner, organization } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations set enterprise_billing = true where organization_id = ${organization}`)
  const call: Call = { ...owner, queue: bench.queue }
  const { journal, balances, events, deadlines } = readersOf(call)
  const reservation = await runWithReservedPayment(
    call,
    { amount_credits: 70, subject: 'job', lifetime_days: 2 },
    async (_tx, held) => held,
  )
  assert.equal(reservation.billing_mode, 'enterprise')
  assert.deepEqual(await balances(), { 'enterprise.held': 70, 'enterprise.accrued': -70 })
  holdings.clock.advance(2 * day_ms)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  assert.deepEqual(await events(), ['hold.ending'])
  holdings.clock.advance(hour_ms - 1)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  assert.deepEqual(await deadlines(), ['hold-expiry'])
  holdings.clock.advance(1)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  assert.deepEqual(await journal(), ['accrue -70', 'hold_expired 70'])
  assert.deepEqual(await balances(), {})
  assert.deepEqual(await events(), ['hold.ending', 'hold.expired'])
  await call.transaction((tx) => releasePaymentHold(tx, call, reservation.hold_id))
  await assert.rejects(
    call.transaction((tx) => capturePaymentHold(tx, call, { hold_id: reservation.hold_id, amount_credits: 70 })),
    /already resolved/,
  )
  await bench.runPending()
})
