import type { DeliveredEvent } from './webhook-event.ts'
import { decodeBase64, importSigningKey, toWebhookMessage, type SigningKey } from './signing-key.ts'

/** A delivery as a receiver got it. */
export interface ReceivedWebhook {
  /** By lower-case name, as Node's `request.headers` or `Object.fromEntries(request.headers)` of fetch. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The exact text of the body, before it is parsed. */
  readonly body: string
}

export interface WebhookVerificationOptions {
  /** Maximum difference between the time of the delivery and the clock of the receiver; default 5 minutes. */
  readonly tolerance_s?: number
  /** The time of the receiver in milliseconds since 1970; default now. */
  readonly now_ms?: number
}

/** The delivery was not sent by the platform with this secret, or not now. */
export class WebhookVerificationError extends Error {}

const default_tolerance_s = 300

/**
 * Verifies a delivery by its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` and returns its event. The
 * signature is the one of Standard Webhooks, HMAC-SHA256 over `id.timestamp.body`, and is compared in constant time. A receiver
 * should also ignore an `event_id` that it has seen, because deliveries are repeated. Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  secret: string,
  { headers, body }: ReceivedWebhook,
  { tolerance_s = default_tolerance_s, now_ms = Date.now() }: WebhookVerificationOptions = {},
): Promise<DeliveredEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name]
    if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`)
    return value
  }) as [string, string, string]
  requireRecent(timestamp, { tolerance_s, now_ms })
  const key = await importSigningKey(secret, 'verify')
  if (key === null) throw new WebhookVerificationError('The secret is not a signing secret.')
  const message = toWebhookMessage(id, timestamp, body)
  for (const signature of signatures.split(' '))
    if (await isSignatureOf(key, signature, message)) return parseEvent(body)
  throw new WebhookVerificationError('No signature of the delivery was made with this secret.')
}

function requireRecent(timestamp: string, { tolerance_s, now_ms }: Required<WebhookVerificationOptions>): void {
  const difference_s = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) - now_ms / 1000 : Number.NaN
  // Written so that NaN is refused, too.
  if (!(Math.abs(difference_s) <= tolerance_s))
    throw new WebhookVerificationError(`The delivery was not sent within ${tolerance_s} s of now.`)
}

function parseEvent(body: string): DeliveredEvent {
  try {
    return JSON.parse(body) as DeliveredEvent
  } catch {
    throw new WebhookVerificationError('The body of the delivery is not JSON.')
  }
}

async function isSignatureOf(key: SigningKey, signature: string, message: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',')
  const bytes = version === 'v1' ? decodeBase64(encoded) : null
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, message)
}
