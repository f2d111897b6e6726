import type { Clock } from '../../clock.ts'
import { deriveKey } from '../../crypto/signatures.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Logger } from '../../log.ts'
import { openEmbedded, type EmbeddedProcessor } from './embedded/embedded.ts'
import type { Payments } from './payments.ts'

export interface OpenedPayments {
  readonly payments: Payments
  /** The same processor, where it is ours: somebody has to hear its events and show its challenges. */
  readonly embedded: EmbeddedProcessor | null
}

/** What the processor stands on. */
export interface PaymentsGround {
  readonly config: Pick<Config, 'stripe_secret_key' | 'stripe_webhook_secret' | 'stripe_api_url'>
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  /** The master secret of the house. */
  readonly secret: Uint8Array
}

/** The processor that the configuration names. */
export async function openPayments({ database, clock, log, secret }: PaymentsGround): Promise<OpenedPayments> {
  const key = deriveKey(secret, 'processor-webhooks')
  const onFault = (error: unknown): void => log.error({ error }, 'the embedded processor could not tell its events')
  const embedded = openEmbedded({ database, clock, key, onFault })
  return { payments: embedded, embedded }
}
