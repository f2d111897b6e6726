import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Stripe from 'stripe'
import { failedWith } from '../../../../../test/payments/payments-harness.ts'
import { startStripeStub, type StubResponse } from '../../../../../test/payments/stripe-stub.ts'
import { createManualClock, systemClock } from '../../../clock.ts'
import { PaymentsFailure, type ChargeRequest, type PaymentProcessor } from '../payments.ts'
import { signWebhookBody, verifyWebhookSignature } from '../webhook-signature.ts'
import { createStripePaymentProcessor } from './stripe.ts'

const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
const webhook_secret = 'whsec_test'
let server: Awaited<ReturnType<typeof startStripeStub>>
let payments: PaymentProcessor

const open = (api_url: string | null, secret_key = 'sk_test_x'): PaymentProcessor =>
  createStripePaymentProcessor({ secret_key, webhook_secret, api_url, clock })

before(async () => {
  server = await startStripeStub()
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

const okResponse = (body: unknown): StubResponse => ({ status: 200, body })
const errorResponse = (status: number, error: unknown): StubResponse => ({ status, body: { error } })

const chargeRequest: ChargeRequest = {
  customer: 'cus_1',
  payment_method: 'pm_1',
  amount_cents: 5000,
  capture: 'manual',
  metadata: { order: 'o1' },
}

test('a charge sends only the required parameters, with our idempotency key', async () => {
  server.respondWith(okResponse(intent))
  await payments.charge(chargeRequest, 'key-1')
  const [{ method, path, form, headers }] = server.requests as [(typeof server.requests)[number]]
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

const authenticationRequired = {
  ...intent,
  status: 'requires_payment_method',
  amount_received: 0,
  payment_method: null,
  last_payment_error: { code: 'authentication_required', payment_method: { id: 'pm_1' } },
}

test('required authentication is recognized as an error and as a status', async () => {
  const error = { type: 'card_error', code: 'authentication_required', payment_intent: authenticationRequired }
  const requiresAction = { ...intent, status: 'requires_action', amount_received: 0 }
  server.respondWith(errorResponse(402, error), okResponse(authenticationRequired), okResponse(requiresAction))
  const intents = [
    await payments.charge(chargeRequest, 'k'),
    await payments.find('pi_1'),
    await payments.charge(chargeRequest, 'k'),
  ]
  for (const result of intents) {
    assert.deepEqual([result.status, result.client_secret], ['requires_action', 'pi_1_secret_x'])
    assert.deepEqual([result.payment_method, result.captured_cents, result.decline_code], ['pm_1', 0, null])
  }
  const failed = { ...authenticationRequired, last_payment_error: { code: 'payment_intent_authentication_failure' } }
  server.respondWith(okResponse(failed))
  const { status, decline_code } = await payments.find('pi_1')
  assert.deepEqual([status, decline_code], ['requires_payment_method', 'payment_intent_authentication_failure'])
})

test('a declined card gives its decline code and its intent', async () => {
  const payment_intent = { ...intent, status: 'requires_payment_method' }
  const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', payment_intent }
  server.respondWith(errorResponse(402, error))
  await assert.rejects(payments.charge(chargeRequest, 'k'), (cause: unknown) => {
    failedWith('declined', 'insufficient_funds')(cause)
    return cause instanceof PaymentsFailure && cause.intent === 'pi_1'
  })
})

test('an authorization has its expiry, and the released part of a partial capture is not a refund', async () => {
  const authorized = { ...intent, status: 'requires_capture', amount_received: 0 }
  const card = { capture_before: 1_772_500_000 }
  server.respondWith(
    okResponse({ ...authorized, latest_charge: { id: 'ch_1', amount_refunded: 0, payment_method_details: { card } } }),
  )
  assert.deepEqual((await payments.find('pi_1')).capture_before, new Date(1_772_500_000_000))
  server.respondWith(okResponse({ ...authorized, latest_charge: 'ch_1' }))
  assert.deepEqual((await payments.find('pi_1')).capture_before, new Date((intent.created + 5 * 86_400) * 1000))
  for (const [amount_refunded, refunded] of [
    [3800, 0],
    [4000, 200],
    [5000, 1200],
  ] as const) {
    server.respondWith(okResponse({ ...intent, amount_received: 1200, latest_charge: { id: 'ch_1', amount_refunded } }))
    const found = await payments.find('pi_1')
    assert.deepEqual([found.captured_cents, found.refunded_cents, found.capture_before], [1200, refunded, null])
  }
  server.respondWith(
    okResponse({ ...intent, status: 'canceled', amount_received: 0, latest_charge: { amount_refunded: 5000 } }),
  )
  assert.equal((await payments.find('pi_1')).refunded_cents, 0)
})

test('an expired authorization has one code for both errors of Stripe', async () => {
  const canceled = { ...intent, status: 'canceled', cancellation_reason: 'automatic' }
  const type = 'invalid_request_error'
  for (const error of [
    { type, code: 'charge_expired_for_capture' },
    { type, code: 'payment_intent_unexpected_state', payment_intent: canceled },
  ]) {
    server.respondWith(errorResponse(400, error))
    await assert.rejects(payments.capture('pi_1', 100, 'k'), failedWith('invalid', 'capture_expired'))
  }
  const requested = { ...canceled, cancellation_reason: 'requested_by_customer' }
  server.respondWith(errorResponse(400, { type, code: 'payment_intent_unexpected_state', payment_intent: requested }))
  await assert.rejects(payments.capture('pi_1', 100, 'k'), failedWith('invalid', 'payment_intent_unexpected_state'))
})

test('cancelling or detaching again returns the first result', async () => {
  const refusal = errorResponse(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' })
  server.respondWith(refusal, okResponse({ ...intent, status: 'canceled', amount_received: 0 }))
  assert.equal((await payments.cancel('pi_1', 'k')).status, 'canceled')
  server.respondWith(refusal, okResponse(intent))
  await assert.rejects(payments.cancel('pi_1', 'k'), failedWith('invalid'))
  server.respondWith(okResponse({ id: 'pm_1', customer: null }))
  await payments.detach('pm_1')
  assert.equal(server.requests.length, 1)
})

test('a card that a setup intent attached to the customer is not attached again', async () => {
  const method = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 } }
  const card = { id: 'pm_1', kind: 'card', ...method.card }
  server.respondWith(okResponse({ ...method, customer: 'cus_1' }))
  assert.deepEqual(await payments.attach('cus_1', 'pm_1'), card)
  server.respondWith(okResponse({ ...method, customer: null }), okResponse({ ...method, customer: 'cus_1' }))
  assert.deepEqual(await payments.attach('cus_1', 'pm_1'), card)
  assert.deepEqual(server.requests[1]?.form, { customer: 'cus_1' })
})

test('findCard returns null for a detached or missing card, and throws if the processor is unavailable', async () => {
  const type = 'invalid_request_error'
  const method = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 } }
  for (const [cannedResponse, year] of [
    [okResponse({ ...method, customer: 'cus_1' }), 2030],
    [okResponse({ ...method, customer: null }), null],
    [errorResponse(404, { type, code: 'resource_missing' }), null],
  ] as const) {
    server.respondWith(cannedResponse)
    assert.equal((await payments.findCard('pm_1'))?.exp_year ?? null, year)
  }
  server.respondWith(errorResponse(401, { type }))
  await assert.rejects(payments.findCard('pm_1'), failedWith('unavailable'))
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
    server.respondWith(errorResponse(status, error))
    await assert.rejects(payments.charge(chargeRequest, 'k'), failedWith(kind), `${status} ${kind}`)
  }
})

test('invoices are converted to our fields', async () => {
  const invoiceFields = {
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    currency: 'aud',
    total: 1100,
    created: 1_772_000_000,
  }
  server.respondWith(
    okResponse({ object: 'list', data: [{ ...invoiceFields, hosted_invoice_url: 'https://pay.example/1' }] }),
  )
  const [invoice] = await payments.invoices('cus_1', 10)
  assert.equal(server.requests[0]?.path, '/v1/invoices?customer=cus_1&limit=10')
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
  const ownSignature = signWebhookBody(webhook_secret, body, clock.now())
  const data = { customer: 'cus_1', payment_method: 'pm_1' }
  const expected = { id: 'evt_1', type: 'setup_intent.succeeded', object_id: 'seti_1', created: new Date(5000), data }
  assert.deepEqual(await payments.readEvent(body, ownSignature), expected)
  const timestamp = clock.now().getTime() / 1000
  const sdkSignature = webhooks.generateTestHeaderString({ payload: text, secret: webhook_secret, timestamp })
  verifyWebhookSignature(webhook_secret, body, sdkSignature, clock.now())
  const withoutSecret = createStripePaymentProcessor({
    secret_key: 'sk_test_x',
    webhook_secret: null,
    api_url: null,
    clock,
  })
  await assert.rejects(withoutSecret.readEvent(body, ownSignature), failedWith('signature'))
})

/** stripe-mock, Stripe's own request validator, started by CI. Without it these tests are not registered. */
const stripeMock = process.env['SWATH_TEST_STRIPE_MOCK']

if (stripeMock) {
  describe('stripe-mock accepts our requests', () => {
    const stripeMockPayments = createStripePaymentProcessor({
      secret_key: 'sk_test_123',
      webhook_secret,
      api_url: stripeMock,
      clock: systemClock,
    })
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      createCustomer: () =>
        stripeMockPayments.createCustomer({ organization_id: 'o', name: 'Acme', email: 'a@example.org' }, 'k1'),
      createSetupIntent: () => stripeMockPayments.createSetupIntent('cus_1', 'k2'),
      attach: () => stripeMockPayments.attach('cus_2', 'pm_1'),
      findCard: () => stripeMockPayments.findCard('pm_1'),
      setDefault: () => stripeMockPayments.setDefault('cus_1', 'pm_1'),
      detach: () => stripeMockPayments.detach('pm_1'),
      'charge at once': () => stripeMockPayments.charge({ ...chargeRequest, capture: 'automatic' }, 'k3'),
      'charge later': () => stripeMockPayments.charge(chargeRequest, 'k4'),
      find: () => stripeMockPayments.find('pi_1'),
      capture: () => stripeMockPayments.capture('pi_1', 1200, 'k5'),
      cancel: () => stripeMockPayments.cancel('pi_1', 'k6'),
      refund: () => stripeMockPayments.refund({ intent: 'pi_1', amount_cents: 100, metadata: { entry: 'e1' } }, 'k7'),
      invoices: () => stripeMockPayments.invoices('cus_1', 10),
    }
    for (const [name, runCall] of Object.entries(calls)) test(name, async () => void (await runCall()))

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
        const result = await fetch(`${stripeMock}/v1/payment_intents`, { method: 'POST', headers, body: form })
        assert.equal(result.status, 400, form)
      }
    })
  })
}
