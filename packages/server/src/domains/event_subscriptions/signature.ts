import { createHmac } from 'node:crypto'
import { tokenBody } from '../../platform/crypto/token-prefixes.ts'

export interface SignedMessage {
  readonly event_id: string
  readonly timestamp_s: number
  /** The exact bytes that are sent. */
  readonly body: string
}

const hexSignature = (secret: string, { body }: SignedMessage): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The bytes of a generated secret; a secret that a client chose is a text. */
function standardKey(secret: string): Buffer {
  const body = tokenBody('signing_secret', secret)
  return body === null ? Buffer.from(secret, 'utf8') : Buffer.from(body, 'base64')
}

const standardSignature = (secret: string, { event_id, timestamp_s, body }: SignedMessage): string => {
  const key = standardKey(secret)
  return `v1,${createHmac('sha256', key).update(`${event_id}.${timestamp_s}.${body}`).digest('base64')}`
}

/**
 * The signature headers of a delivery: that of the platform, keyed by the secret as text, and those of Standard Webhooks, keyed
 * by its decoded bytes. During a rotation both secrets sign; the platform's header takes one signature only, so the previous
 * secret has a header of its own.
 */
export function signatureHeaders(
  [secret, previous]: readonly [secret: string, previous: string | null],
  message: SignedMessage,
): Record<string, string> {
  const secrets = previous === null ? [secret] : [secret, previous]
  return {
    'x-service-signature': hexSignature(secret, message),
    ...(previous === null ? {} : { 'x-service-signature-previous': hexSignature(previous, message) }),
    'webhook-id': message.event_id,
    'webhook-timestamp': String(message.timestamp_s),
    'webhook-signature': secrets.map((key) => standardSignature(key, message)).join(' '),
  }
}
