import Stripe from 'stripe'
import type { Clock } from '../../../clock.ts'
import { parseEvent } from '../parse-event.ts'
import { nullWhereAbsent, PaymentsFailure, type ChargeTerms, type Intent, type Payments } from '../payments.ts'
import { failureOf, wantsHolder } from './failures.ts'
import { cardOf, expanded, intentOf, invoiceOf } from './intent.ts'

export interface StripeOptions {
  readonly secret_key: string
  /** Null: every webhook is rejected. */
  readonly webhook_secret: string | null
  /** A server with the API of Stripe; null for Stripe itself. */
  readonly api_url: string | null
  readonly clock: Clock
}

const timeout_ms = 20_000
const retries = 2

function openClient({ secret_key, api_url }: StripeOptions): Stripe {
  const bounds = { timeout: timeout_ms, maxNetworkRetries: retries, telemetry: false }
  if (api_url === null) return new Stripe(secret_key, bounds)
  const { protocol, hostname, port } = new URL(api_url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secret_key, {
    ...bounds,
    protocol: scheme,
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
  })
}

/** Calls Stripe and converts its errors to `PaymentsFailure`. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? failureOf(error) : error
  }
}

/** A payment processor on the Stripe SDK. It uses few parameters; our own ids are in the metadata. */
export function openStripe(options: StripeOptions): Payments {
  const stripe = openClient(options)
  return {
    env: /^[sr]k_live_/.test(options.secret_key) ? 'live' : 'test',
    ...servePeople(stripe),
    ...serveIntents(stripe),
    invoices: (customer, limit) =>
      ask(async () => (await stripe.invoices.list({ customer, limit })).data.map(invoiceOf)),
    readEvent: async (body, signature) => {
      verify(stripe, options, body, signature)
      return parseEvent(body)
    },
    deliverEvents: async () => 0,
  }
}

function servePeople(stripe: Stripe) {
  return {
    createCustomer: ({ organization_id, name, email }, key) =>
      ask(async () => {
        const terms = { name, ...(email === null ? {} : { email }), metadata: { organization_id } }
        const { id } = await stripe.customers.create(terms, keyed(key))
        return { id }
      }),
    createSetupIntent: (customer, key) =>
      ask(async () => {
        const made = await stripe.setupIntents.create({ customer, usage: 'off_session' }, keyed(key))
        return { id: made.id, client_secret: made.client_secret ?? '', status: made.status }
      }),
    attach: (customer, method) =>
      ask(async () => {
        // A card that was confirmed by a setup intent is already attached to the customer.
        const found = await stripe.paymentMethods.retrieve(method)
        const own = found.customer === customer
        return cardOf(own ? found : await stripe.paymentMethods.attach(found.id, { customer }))
      }),
    findCard: async (method) => {
      const found = await nullWhereAbsent(ask(() => stripe.paymentMethods.retrieve(method)))
      return found?.customer ? cardOf(found) : null
    },
    setDefault: (customer, method) =>
      ask(async () => {
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } })
      }),
    detach: (method) =>
      ask(async () => {
        const { customer } = await stripe.paymentMethods.retrieve(method)
        if (customer !== null) await stripe.paymentMethods.detach(method)
      }),
  } satisfies Partial<Payments>
}

const keyed = (key: string): Stripe.RequestOptions => ({ idempotencyKey: key })

function serveIntents(stripe: Stripe) {
  const find = async (id: string): Promise<Intent> =>
    intentOf(await stripe.paymentIntents.retrieve(id, { expand: expanded }))
  return {
    charge: (terms, key) => charge(stripe, terms, key),
    find: (id) => ask(() => find(id)),
    capture: (id, cents, key) =>
      ask(async () => {
        const terms = { amount_to_capture: cents, expand: expanded }
        return intentOf(await stripe.paymentIntents.capture(id, terms, keyed(key)), cents)
      }),
    cancel: (id, key) =>
      ask(async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(id, { expand: expanded }, keyed(key)))
        } catch (error) {
          // Stripe rejects a second cancellation; the intent already has the wanted state.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          const present = await find(id)
          if (present.status !== 'canceled') throw error
          return present
        }
      }),
    refund: ({ intent, amount_cents, metadata }, key) =>
      ask(async () => {
        const terms = { payment_intent: intent, amount: amount_cents, metadata }
        const { id, status } = await stripe.refunds.create(terms, keyed(key))
        return { id, amount_cents, status: status ?? 'pending' }
      }),
  } satisfies Partial<Payments>
}

async function charge(stripe: Stripe, terms: ChargeTerms, key: string): Promise<Intent> {
  const { customer, payment_method, amount_cents, capture, metadata } = terms
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
        expand: expanded,
      },
      keyed(key),
    )
    return intentOf(intent)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const attempt = error.payment_intent
    if (attempt && wantsHolder(error)) return { ...intentOf(attempt), payment_method, status: 'requires_action' }
    throw failureOf(error)
  }
}

const tolerance_s = 300

function verify(
  { webhooks }: Stripe,
  { webhook_secret, clock }: StripeOptions,
  body: Uint8Array,
  signature: string | null,
): void {
  try {
    if (webhook_secret === null) throw new Error('STRIPE_WEBHOOK_SECRET is not set')
    const received_ms = clock.now().getTime()
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    webhooks.constructEvent(bytes, signature ?? '', webhook_secret, tolerance_s, undefined, received_ms)
  } catch (cause) {
    throw new PaymentsFailure('signature', 'The webhook is not signed by the payment processor.', { cause })
  }
}
