import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Stripe from 'stripe'
import { failure } from '../../../../../test/payments/bench.ts'
import { openCannedStripe, type Canned } from '../../../../../test/payments/canned-stripe.ts'
import { manualClock, systemClock } from '../../../clock.ts'
import { PaymentsFailure, type ChargeTerms, type Payments } from '../payments.ts'
import { signWebhook, verifyWebhook } from '../webhook-signature.ts'
import { openStripe } from './stripe.ts'

const clock = manualClock(new Date('2026-03-01T00:00:00.000Z'))
const webhook_secret = 'whsec_test'
let server: Awaited<ReturnType<typeof openCannedStripe>>
let payments: Payments

const open = (api_url: string | null, secret_key = 'sk_test_x'): Payments =>
  openStripe({ secret_key, webhook_secret, api_url, clock })

before(async () => {
  server = await openCannedStripe()
  payments = open(server.url)
})
after(() => server.close())

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  client_secret: 'pi_1_secret_x',
  amount: 5000,
  amount_received: 5000,
  created: 1_772_000_000,
  payment_method: 'pm_1',
  latest_charge: null,
  next_action: null,
  last_payment_error: null,
  metadata: { order: 'o1' },
}

const ok = (body: unknown): Canned => ({ status: 200, body })
const no = (status: number, error: unknown): Canned => ({ status, body: { error } })

const terms: ChargeTerms = {
  customer: 'cus_1',
  payment_method: 'pm_1',
  amount_cents: 5000,
  capture: 'manual',
  metadata: { order: 'o1' },
}

test('a charge sends only the required parameters, with our idempotency key', async () => {
  server.say(ok(intent))
  await payments.charge(terms, 'key-1')
  const [{ method, path, form, headers }] = server.asked as [(typeof server.asked)[number]]
  assert.deepEqual([method, path], ['POST', '/v1/payment_intents'])
  assert.equal(headers['idempotency-key'], 'key-1')
  assert.ok(headers['stripe-version'])
  assert.equal(headers['x-stripe-client-telemetry'], undefined)
  assert.deepEqual(form, {
    amount: '5000',
    currency: 'aud',
    customer: 'cus_1',
    payment_method: 'pm_1',
    capture_method: 'manual',
    confirm: 'true',
    off_session: 'true',
    'metadata[order]': 'o1',
    'expand[0]': 'latest_charge',
  })
})

const unauthenticated = {
  ...intent,
  status: 'requires_payment_method',
  amount_received: 0,
  payment_method: null,
  last_payment_error: { code: 'authentication_required', payment_method: { id: 'pm_1' } },
}

test('required authentication is recognized as an error and as a status', async () => {
  const error = { type: 'card_error', code: 'authentication_required', payment_intent: unauthenticated }
  const asked = { ...intent, status: 'requires_action', amount_received: 0 }
  server.say(no(402, error), ok(unauthenticated), ok(asked))
  const answers = [await payments.charge(terms, 'k'), await payments.find('pi_1'), await payments.charge(terms, 'k')]
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.client_secret], ['requires_action', 'pi_1_secret_x'])
    assert.deepEqual([answer.payment_method, answer.captured_cents, answer.decline_code], ['pm_1', 0, null])
  }
  const failed = { ...unauthenticated, last_payment_error: { code: 'payment_intent_authentication_failure' } }
  server.say(ok(failed))
  const { status, decline_code } = await payments.find('pi_1')
  assert.deepEqual([status, decline_code], ['requires_payment_method', 'payment_intent_authentication_failure'])
})

test('a declined card gives its decline code and its intent', async () => {
  const payment_intent = { ...intent, status: 'requires_payment_method' }
  const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', payment_intent }
  server.say(no(402, error))
  await assert.rejects(payments.charge(terms, 'k'), (cause: unknown) => {
    failure('declined', 'insufficient_funds')(cause)
    return cause instanceof PaymentsFailure && cause.intent === 'pi_1'
  })
})

test('an authorization has its expiry, and the released part of a partial capture is not a refund', async () => {
  const held = { ...intent, status: 'requires_capture', amount_received: 0 }
  const card = { capture_before: 1_772_500_000 }
  server.say(ok({ ...held, latest_charge: { id: 'ch_1', amount_refunded: 0, payment_method_details: { card } } }))
  assert.deepEqual((await payments.find('pi_1')).capture_before, new Date(1_772_500_000_000))
  server.say(ok({ ...held, latest_charge: 'ch_1' }))
  assert.deepEqual((await payments.find('pi_1')).capture_before, new Date((intent.created + 5 * 86_400) * 1000))
  for (const [amount_refunded, refunded] of [
    [3800, 0],
    [4000, 200],
    [5000, 1200],
  ] as const) {
    server.say(ok({ ...intent, amount_received: 1200, latest_charge: { id: 'ch_1', amount_refunded } }))
    const found = await payments.find('pi_1')
    assert.deepEqual([found.captured_cents, found.refunded_cents, found.capture_before], [1200, refunded, null])
  }
  server.say(ok({ ...intent, status: 'canceled', amount_received: 0, latest_charge: { amount_refunded: 5000 } }))
  assert.equal((await payments.find('pi_1')).refunded_cents, 0)
})

test('an expired authorization has one code for both errors of Stripe', async () => {
  const canceled = { ...intent, status: 'canceled', cancellation_reason: 'automatic' }
  const type = 'invalid_request_error'
  for (const error of [
    { type, code: 'charge_expired_for_capture' },
    { type, code: 'payment_intent_unexpected_state', payment_intent: canceled },
  ]) {
    server.say(no(400, error))
    await assert.rejects(payments.capture('pi_1', 100, 'k'), failure('invalid', 'capture_expired'))
  }
  const requested = { ...canceled, cancellation_reason: 'requested_by_customer' }
  server.say(no(400, { type, code: 'payment_intent_unexpected_state', payment_intent: requested }))
  await assert.rejects(payments.capture('pi_1', 100, 'k'), failure('invalid', 'payment_intent_unexpected_state'))
})

test('cancelling or detaching again returns the first result', async () => {
  const refusal = no(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' })
  server.say(refusal, ok({ ...intent, status: 'canceled', amount_received: 0 }))
  assert.equal((await payments.cancel('pi_1', 'k')).status, 'canceled')
  server.say(refusal, ok(intent))
  await assert.rejects(payments.cancel('pi_1', 'k'), failure('invalid'))
  server.say(ok({ id: 'pm_1', customer: null }))
  await payments.detach('pm_1')
  assert.equal(server.asked.length, 1)
})

test('a card that a setup intent attached to the customer is not attached again', async () => {
  const method = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 } }
  const card = { id: 'pm_1', kind: 'card', ...method.card }
  server.say(ok({ ...method, customer: 'cus_1' }))
  assert.deepEqual(await payments.attach('cus_1', 'pm_1'), card)
  server.say(ok({ ...method, customer: null }), ok({ ...method, customer: 'cus_1' }))
  assert.deepEqual(await payments.attach('cus_1', 'pm_1'), card)
  assert.deepEqual(server.asked[1]?.form, { customer: 'cus_1' })
})

test('findCard returns null for a detached or missing card, and throws if the processor is unavailable', async () => {
  const type = 'invalid_request_error'
  const method = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 } }
  for (const [said, year] of [
    [ok({ ...method, customer: 'cus_1' }), 2030],
    [ok({ ...method, customer: null }), null],
    [no(404, { type, code: 'resource_missing' }), null],
  ] as const) {
    server.say(said)
    assert.equal((await payments.findCard('pm_1'))?.exp_year ?? null, year)
  }
  server.say(no(401, { type }))
  await assert.rejects(payments.findCard('pm_1'), failure('unavailable'))
})

test('every other Stripe error maps to a failure kind', async () => {
  const type = 'invalid_request_error'
  for (const [status, error, kind] of [
    [400, { type: 'idempotency_error' }, 'idempotency'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'idempotency'],
    [404, { type, code: 'resource_missing' }, 'not-found'],
    [400, { type, code: 'resource_missing' }, 'not-found'],
    [400, { type, code: 'amount_too_small' }, 'invalid'],
    [429, { type: 'rate_limit' }, 'unavailable'],
    [401, { type }, 'unavailable'],
    [403, { type }, 'unavailable'],
    [500, { type: 'api_error' }, 'unavailable'],
  ] as const) {
    server.say(no(status, error))
    await assert.rejects(payments.charge(terms, 'k'), failure(kind), `${status} ${kind}`)
  }
})

test('invoices are converted to our fields', async () => {
  const facts = { id: 'in_1', number: 'A-1', status: 'paid', currency: 'aud', total: 1100, created: 1_772_000_000 }
  server.say(ok({ object: 'list', data: [{ ...facts, hosted_invoice_url: 'https://pay.example/1' }] }))
  const [invoice] = await payments.invoices('cus_1', 10)
  assert.equal(server.asked[0]?.path, '/v1/invoices?customer=cus_1&limit=10')
  assert.deepEqual(invoice, {
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    currency: 'aud',
    total_cents: 1100,
    hosted_url: 'https://pay.example/1',
    pdf_url: null,
    created: new Date(1_772_000_000_000),
  })
})

test('env is the mode of the key', () => {
  const modes = ['sk_live_x', 'rk_live_x', 'sk_test_x', 'rk_test_x'].map((key) => open(null, key).env)
  assert.deepEqual(modes, ['live', 'live', 'test', 'test'])
})

test('our signatures match those of the SDK, and without a webhook secret every webhook is rejected', async () => {
  const { webhooks } = new Stripe('sk_test_x')
  const object = { object: 'setup_intent', id: 'seti_1', customer: 'cus_1', payment_method: 'pm_1' }
  const text = JSON.stringify({ id: 'evt_1', type: 'setup_intent.succeeded', created: 5, data: { object } })
  const body = new TextEncoder().encode(text)
  const ours = signWebhook(webhook_secret, body, clock.now())
  const data = { customer: 'cus_1', payment_method: 'pm_1' }
  const told = { id: 'evt_1', type: 'setup_intent.succeeded', object_id: 'seti_1', created: new Date(5000), data }
  assert.deepEqual(await payments.readEvent(body, ours), told)
  const timestamp = clock.now().getTime() / 1000
  const theirs = webhooks.generateTestHeaderString({ payload: text, secret: webhook_secret, timestamp })
  verifyWebhook(webhook_secret, body, theirs, clock.now())
  const unset = openStripe({ secret_key: 'sk_test_x', webhook_secret: null, api_url: null, clock })
  await assert.rejects(unset.readEvent(body, ours), failure('signature'))
})

/** stripe-mock, Stripe's own request validator, started by CI. Without it these tests are not registered. */
const stripeMock = process.env['SWATH_TEST_STRIPE_MOCK']

if (stripeMock) {
  describe('stripe-mock accepts our requests', () => {
    const judged = openStripe({ secret_key: 'sk_test_123', webhook_secret, api_url: stripeMock, clock: systemClock })
    const questions: Readonly<Record<string, () => Promise<unknown>>> = {
      createCustomer: () => judged.createCustomer({ organization_id: 'o', name: 'Acme', email: 'a@example.org' }, 'k1'),
      createSetupIntent: () => judged.createSetupIntent('cus_1', 'k2'),
      attach: () => judged.attach('cus_2', 'pm_1'),
      findCard: () => judged.findCard('pm_1'),
      setDefault: () => judged.setDefault('cus_1', 'pm_1'),
      detach: () => judged.detach('pm_1'),
      'charge at once': () => judged.charge({ ...terms, capture: 'automatic' }, 'k3'),
      'charge later': () => judged.charge(terms, 'k4'),
      find: () => judged.find('pi_1'),
      capture: () => judged.capture('pi_1', 1200, 'k5'),
      cancel: () => judged.cancel('pi_1', 'k6'),
      refund: () => judged.refund({ intent: 'pi_1', amount_cents: 100, metadata: { entry: 'e1' } }, 'k7'),
      invoices: () => judged.invoices('cus_1', 10),
    }
    for (const [name, ask] of Object.entries(questions)) test(name, async () => void (await ask()))

    test('stripe-mock rejects what Stripe would reject', async () => {
      for (const form of [
        'amount=100',
        'amount=100&currency=aud&capture_methd=manual',
        'amount=1&currency=aud&confirm=x',
      ]) {
        const headers = {
          authorization: 'Bearer sk_test_123',
          'content-type': 'application/x-www-form-urlencoded',
        }
        const answer = await fetch(`${stripeMock}/v1/payment_intents`, { method: 'POST', headers, body: form })
        assert.equal(answer.status, 400, form)
      }
    })
  })
}
