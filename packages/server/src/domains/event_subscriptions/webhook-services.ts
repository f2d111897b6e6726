import { defineService } from '../../engine/process-services.ts'
import {
  decryptTextWithAny,
  deriveKeys,
  encryptText,
  type CurrentAndAcceptedKeys,
} from '../../platform/crypto/signatures.ts'
import { assertInvariant } from '../../engine/problem.ts'

/** The schedule of attempts, and when a delivery is abandoned. */
export interface EventDeliveryRetryPolicy {
  /** Seconds before each attempt: the first one after the event, each other one after the failure of the previous. */
  readonly retry_delays_s: readonly number[]
  /**
   * The duration for which an endpoint that is down is held: the first, and the maximum, since it doubles with each
   * probe that fails. The first should be longer than an attempt takes, so that attempts which began before a hold end
   * during it.
   */
  readonly hold_s: readonly [first: number, max: number]
  /** The timeout of one attempt. */
  readonly timeout_ms: number
}

/** The services of the process that deliveries need. */
export interface WebhookServices {
  readonly policy: EventDeliveryRetryPolicy
  /** Encrypts signing secrets and headers for storage. */
  seal(text: string): string
  open(sealed: string): string
  /** Host of the service itself, which no webhook may call; null if it is not configured. */
  readonly own_host: string | null
}

export const webhookServicesKey = defineService<WebhookServices>('webhooks')

export function createWebhookServices(
  masterSecrets: CurrentAndAcceptedKeys,
  policy: EventDeliveryRetryPolicy,
  base_url: string | null,
): WebhookServices {
  const keys = deriveKeys(masterSecrets, 'webhooks')
  return {
    policy,
    own_host: base_url === null ? null : new URL(base_url).host,
    seal: (text) => encryptText(keys[0], text),
    open: (sealed) => {
      const text = decryptTextWithAny(keys, sealed)
      assertInvariant(text !== null, 'a webhook secret was sealed with another key')
      return text
    },
  }
}
