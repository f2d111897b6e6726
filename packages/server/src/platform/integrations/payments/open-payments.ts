import type { Clock, OrganizationClocks } from '../../clock.ts'
import { deriveKey } from '../../crypto/signatures.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Logger } from '../../log.ts'
import { openEmbeddedPaymentProcessor, type EmbeddedPaymentProcessor } from './embedded/embedded.ts'
import type { PaymentProcessor } from './payments.ts'

export interface PaymentProcessors {
  readonly payments: PaymentProcessor
  /** The same processor, unless another one is configured; then sandbox organizations alone use it. */
  readonly embedded: EmbeddedPaymentProcessor
}

/** Dependencies of the payment processor. */
export interface PaymentsDependencies {
  readonly config: Pick<Config, 'stripe_secret_key' | 'stripe_webhook_secret' | 'stripe_api_url'>
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  /** The current master secret. */
  readonly secret: Uint8Array
}

/** Opens the configured payment processor. */
export async function openPaymentProcessor(dependencies: PaymentsDependencies): Promise<PaymentProcessors> {
  const { config, database, clock, log, secret } = dependencies
  const { stripe_secret_key: secret_key, stripe_webhook_secret: webhook_secret, stripe_api_url: api_url } = config
  const key = deriveKey(secret, 'processor-webhooks')
  const onError = (error: unknown): void => log.error({ error }, 'the embedded processor could not deliver its events')
  const embedded = openEmbeddedPaymentProcessor({ database, clock, key, onError })
  if (secret_key === null) return { payments: embedded, embedded }
  if (webhook_secret === null) log.warn({}, 'STRIPE_WEBHOOK_SECRET is not set: webhooks of Stripe are rejected')
  // The SDK costs time and memory at startup, so it is loaded only for Stripe.
  const { createStripePaymentProcessor } = await import('./stripe/stripe.ts')
  return { payments: createStripePaymentProcessor({ secret_key, webhook_secret, api_url, clock }), embedded }
}
