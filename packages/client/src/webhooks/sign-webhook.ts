import { importSigningKey, toWebhookMessage } from './signing-key.ts'
import type { KnownWebhookEvent } from './webhook-event.ts'

/** A delivery for a test of a receiver: POST its body with its headers. */
export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SignWebhookOptions {
  /** When it is sent, in milliseconds since 1970; default now. */
  readonly now_ms?: number
}

/** Signs an event as the platform does, for tests of a receiver. Throws `TypeError` for a secret that is none. */
export async function signWebhook(
  secret: string,
  event: KnownWebhookEvent | { readonly event_id: string; readonly event_type: string },
  { now_ms = Date.now() }: SignWebhookOptions = {},
): Promise<SignedWebhook> {
  const key = await importSigningKey(secret, 'sign')
  if (key === null) throw new TypeError('The secret is not a signing secret.')
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(now_ms / 1000))
  const signature = await crypto.subtle.sign('HMAC', key, toWebhookMessage(event.event_id, timestamp, body))
  const encoded = btoa(String.fromCharCode(...new Uint8Array(signature)))
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.event_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${encoded}`,
    },
    body,
  }
}
