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

/** The event of a delivery; its `data` is as its event type says. */
export interface WebhookEventBody {
  readonly event_id: string
  readonly event_type: string
  readonly timestamp: string
  readonly organization_id: string
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
  /** Rises by one with each delivery of the subscription; absent from tests. */
  readonly sequence?: number
}

/** The delivery was not sent by the platform with this secret, or not now. */
export class WebhookVerificationError extends Error {}

const default_tolerance_s = 300
const secretPrefix = 'whsec_'

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * Verifies a delivery by its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` and returns its event. The
 * signature is the one of Standard Webhooks, HMAC-SHA256 over `id.timestamp.body`, and is compared in constant time. A receiver
 * should also ignore an `event_id` that it has seen, because deliveries are repeated. Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  secret: string,
  { headers, body }: ReceivedWebhook,
  { tolerance_s = default_tolerance_s, now_ms = Date.now() }: WebhookVerificationOptions = {},
): Promise<WebhookEventBody> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name]
    if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`)
    return value
  }) as [string, string, string]
  requireRecent(timestamp, { tolerance_s, now_ms })
  const key = await importKey(secret)
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' '))
    if (await isSignatureOf(key, signature, message)) return JSON.parse(body) as WebhookEventBody
  throw new WebhookVerificationError('No signature of the delivery was made with this secret.')
}

function requireRecent(timestamp: string, { tolerance_s, now_ms }: Required<WebhookVerificationOptions>): void {
  const difference_s = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) - now_ms / 1000 : Number.NaN
  // Written so that NaN is refused, too.
  if (!(Math.abs(difference_s) <= tolerance_s))
    throw new WebhookVerificationError(`The delivery was not sent within ${tolerance_s} s of now.`)
}

function importKey(secret: string): Promise<HmacKey> {
  const bytes = secret.startsWith(secretPrefix)
    ? decodeBase64(secret.slice(secretPrefix.length))
    : new TextEncoder().encode(secret)
  if (bytes === null || bytes.length === 0) throw new WebhookVerificationError('The secret is not a signing secret.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

async function isSignatureOf(key: HmacKey, signature: string, message: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',')
  const bytes = version === 'v1' ? decodeBase64(encoded) : null
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, message)
}

/** Null if the text is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
