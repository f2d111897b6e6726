import Stripe from 'stripe'
import type { Clock } from '../../../clock.ts'
import { parsePaymentProcessorEvent } from '../parse-event.ts'
import {
  type ChargeRequest,
  type PaymentIntent,
  type PaymentProcessor,
  PaymentsFailure,
  type PaymentsFailureKind,
  awaitOrNullIfNotFound,
} from '../payments.ts'
import { intent_expand_fields, toPaymentCard, toPaymentIntent, toPaymentProcessorInvoice } from './intent.ts'

type StripeErrorFields = Stripe.errors.StripeError

/** Maps Stripe errors to our failures: the first matching row applies. The outcome of an error without a row is unknown. */
const failure_rows: readonly (readonly [PaymentsFailureKind, (error: StripeErrorFields) => boolean])[] = [
  ['declined', ({ type }) => type === 'StripeCardError'],
  ['idempotency', ({ type, code }) => type === 'StripeIdempotencyError' || code === 'idempotency_key_in_use'],
  ['unavailable', ({ type }) => type !== 'StripeInvalidRequestError'],
  ['not-found', ({ statusCode, code }) => statusCode === 404 || code === 'resource_missing'],
  ['invalid', () => true],
]

/** An expired authorization, which Stripe reports in two ways. */
const isExpiredAuthorization = ({ code, payment_intent }: StripeErrorFields): boolean =>
  code === 'charge_expired_for_capture' ||
  (code === 'payment_intent_unexpected_state' && payment_intent?.cancellation_reason === 'automatic')

/** True if the bank declined because the card holder must authenticate. */
const requiresAuthentication = ({ code, decline_code }: StripeErrorFields): boolean =>
  code === 'authentication_required' || decline_code === 'authentication_required'

function toPaymentsFailure(error: StripeErrorFields): PaymentsFailure {
  const [kind] = failure_rows.find(([, matches]) => matches(error))!
  // The SDK has an empty text if the bank gave no reason.
  const code = isExpiredAuthorization(error) ? 'capture_expired' : error.decline_code || error.code || null
  const intent = error.payment_intent?.id ?? null
  const message = kind === 'unavailable' ? 'The payment processor is not available.' : error.message
  return new PaymentsFailure(kind, message, { code, intent, cause: error })
}

export interface StripeOptions {
  readonly secret_key: string
  /** Null: every webhook is rejected. */
  readonly webhook_secret: string | null
  /** A server with the API of Stripe; null for Stripe itself. */
  readonly api_url: string | null
  readonly clock: Clock
}

const timeout_ms = 20_000
const max_retries = 2

function openClient({ secret_key, api_url }: StripeOptions): Stripe {
  const clientOptions = { timeout: timeout_ms, maxNetworkRetries: max_retries, telemetry: false }
  if (api_url === null) return new Stripe(secret_key, clientOptions)
  const { protocol, hostname, port } = new URL(api_url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secret_key, {
    ...clientOptions,
    protocol: scheme,
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
  })
}

/** Calls Stripe and converts its errors to `PaymentsFailure`. */
async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? toPaymentsFailure(error) : error
  }
}

/** A payment processor on the Stripe SDK. It uses few parameters; our own ids are in the metadata. */
export function createStripePaymentProcessor(options: StripeOptions): PaymentProcessor {
  const stripe = openClient(options)
  return {
    env: /^[sr]k_live_/.test(options.secret_key) ? 'live' : 'test',
    ...serveCustomers(stripe),
    ...serveIntents(stripe),
    invoices: (customer, limit) =>
      callStripe(async () => (await stripe.invoices.list({ customer, limit })).data.map(toPaymentProcessorInvoice)),
    readEvent: async (body, signature) => {
      verifySignature(stripe, options, body, signature)
      return parsePaymentProcessorEvent(body)
    },
    deliverEvents: async () => 0,
  }
}

function serveCustomers(stripe: Stripe) {
  return {
    createCustomer: ({ organization_id, name, email }, key) =>
      callStripe(async () => {
        const parameters = { name, ...(email === null ? {} : { email }), metadata: { organization_id } }
        const { id } = await stripe.customers.create(parameters, withIdempotencyKey(key))
        return { id }
      }),
    createSetupIntent: (customer, key) =>
      callStripe(async () => {
        const setupIntent = await stripe.setupIntents.create(
          { customer, usage: 'off_session' },
          withIdempotencyKey(key),
        )
        return { id: setupIntent.id, client_secret: setupIntent.client_secret ?? '', status: setupIntent.status }
      }),
    attach: (customer, method) =>
      callStripe(async () => {
        // A card that was confirmed by a setup intent is already attached to the customer.
        const paymentMethod = await stripe.paymentMethods.retrieve(method)
        const isAttached = paymentMethod.customer === customer
        return toPaymentCard(
          isAttached ? paymentMethod : await stripe.paymentMethods.attach(paymentMethod.id, { customer }),
        )
      }),
    findCard: async (method) => {
      const paymentMethod = await awaitOrNullIfNotFound(callStripe(() => stripe.paymentMethods.retrieve(method)))
      return paymentMethod?.customer ? toPaymentCard(paymentMethod) : null
    },
    setDefault: (customer, method) =>
      callStripe(async () => {
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } })
      }),
    detach: (method) =>
      callStripe(async () => {
        const { customer } = await stripe.paymentMethods.retrieve(method)
        if (customer !== null) await stripe.paymentMethods.detach(method)
      }),
  } satisfies Partial<PaymentProcessor>
}

const withIdempotencyKey = (key: string): Stripe.RequestOptions => ({ idempotencyKey: key })

function serveIntents(stripe: Stripe) {
  const find = async (id: string): Promise<PaymentIntent> =>
    toPaymentIntent(await stripe.paymentIntents.retrieve(id, { expand: intent_expand_fields }))
  return {
    charge: (parameters, key) => charge(stripe, parameters, key),
    find: (id) => callStripe(() => find(id)),
    capture: (id, cents, key) =>
      callStripe(async () => {
        const parameters = { amount_to_capture: cents, expand: intent_expand_fields }
        return toPaymentIntent(await stripe.paymentIntents.capture(id, parameters, withIdempotencyKey(key)), cents)
      }),
    cancel: (id, key) =>
      callStripe(async () => {
        try {
          return toPaymentIntent(
            await stripe.paymentIntents.cancel(id, { expand: intent_expand_fields }, withIdempotencyKey(key)),
          )
        } catch (error) {
          // Stripe rejects a second cancellation; the intent already has the wanted state.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          const currentIntent = await find(id)
          if (currentIntent.status !== 'canceled') throw error
          return currentIntent
        }
      }),
    refund: ({ intent, amount_cents, metadata }, key) =>
      callStripe(async () => {
        const parameters = { payment_intent: intent, amount: amount_cents, metadata }
        const { id, status } = await stripe.refunds.create(parameters, withIdempotencyKey(key))
        return { id, amount_cents, status: status ?? 'pending' }
      }),
  } satisfies Partial<PaymentProcessor>
}

async function charge(stripe: Stripe, parameters: ChargeRequest, key: string): Promise<PaymentIntent> {
  const { customer, payment_method, amount_cents, capture, metadata } = parameters
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: amount_cents,
        currency: 'aud',
        customer,
        payment_method,
        capture_method: capture,
        confirm: true,
        off_session: true,
        metadata,
        expand: intent_expand_fields,
      },
      withIdempotencyKey(key),
    )
    return toPaymentIntent(intent)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const failedIntent = error.payment_intent
    if (failedIntent && requiresAuthentication(error))
      return { ...toPaymentIntent(failedIntent), payment_method, status: 'requires_action' }
    throw toPaymentsFailure(error)
  }
}

const signature_tolerance_s = 300

function verifySignature(
  { webhooks }: Stripe,
  { webhook_secret, clock }: StripeOptions,
  body: Uint8Array,
  signature: string | null,
): void {
  try {
    if (webhook_secret === null) throw new Error('STRIPE_WEBHOOK_SECRET is not set')
    const received_ms = clock.now().getTime()
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    webhooks.constructEvent(bytes, signature ?? '', webhook_secret, signature_tolerance_s, undefined, received_ms)
  } catch (cause) {
    throw new PaymentsFailure('signature', 'The webhook is not signed by the payment processor.', { cause })
  }
}
