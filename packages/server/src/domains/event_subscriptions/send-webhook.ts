import { limits } from '@swath/contract/limits.ts'
import { deliveryTestEndpointUrl } from '@swath/contract/schemas/subscription.ts'
import { type Clock, monotonic_ms } from '../../platform/clock.ts'
import { type SafeFetch, SafeFetchFailure, type SafeFetchResponse } from '../../platform/integrations/integrations.ts'
import { type WebhookCustomHeaders, redactCustomHeaders } from './custom-headers.ts'
import { webhook_connect_timeout_ms, parseRetryAfter } from './retry-policy.ts'
import { createHmac } from 'node:crypto'
import { getTokenBody } from '../../platform/crypto/token-prefixes.ts'

interface SignedMessage {
  readonly event_id: string
  readonly timestamp_s: number
  /** The exact bytes that are sent. */
  readonly body: string
}

const hexSignature = (secret: string, { body }: SignedMessage): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The bytes of a generated secret; a secret that a client chose is a text. */
function standardKey(secret: string): Buffer {
  const body = getTokenBody('signing_secret', secret)
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
function signatureHeaders(
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

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly endpoint_url: string
  readonly headers: WebhookCustomHeaders
  readonly secrets: readonly [secret: string, previous: string | null]
  readonly event_id: string
  readonly event_type: string
  /** The id of this attempt. */
  readonly delivery_id: string
  readonly body: string
}

/** The result of an attempt. */
export interface WebhookResult {
  readonly is_delivered: boolean
  readonly http_status: number | null
  /** The headers that were sent, with the credentials of the subscriber redacted. */
  readonly request_headers: Readonly<Record<string, string>>
  readonly error: string | null
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: string | null
  readonly started_at: Date
  readonly duration_ms: number
  /** The pause that the endpoint asks for. */
  readonly pause_ms: number | null
}

export interface WebhookSender {
  readonly fetch: SafeFetch
  /** The clock of signatures and of the log: receivers compare it with their own. */
  readonly clock: Clock
  readonly timeout_ms?: number
}

/** More of a response is not read. */
const max_response_bytes = 64 * 1024
/** The rest of a response is not stored. */
const max_kept_characters = 4096
const max_kept_headers = 40

/** Sends one attempt. Never throws: a failure is a result. */
export async function sendWebhook(
  { fetch: post, clock, timeout_ms = limits.webhook_timeout_seconds * 1000 }: WebhookSender,
  webhook: WebhookRequest,
): Promise<WebhookResult> {
  const started_at = clock.now()
  const begin_ms = monotonic_ms()
  const request_headers = webhookHeaders({ ...webhook, headers: redactCustomHeaders(webhook.headers) }, started_at)
  if (webhook.endpoint_url === deliveryTestEndpointUrl) return keepInInbox(request_headers, started_at)
  const sent = () => ({ request_headers, started_at, duration_ms: Math.round(monotonic_ms() - begin_ms) })
  try {
    const response = await post(webhook.endpoint_url, {
      method: 'POST',
      headers: webhookHeaders(webhook, started_at),
      body: webhook.body,
      timeout_ms,
      connect_timeout_ms: Math.min(webhook_connect_timeout_ms, timeout_ms),
      // The queues limit what is sent at once; endpoints of several organizations may be one host.
      unlimited_connections: true,
      limit_bytes: max_response_bytes,
      beyond_limit: 'cut',
      accepts_partial_body: true,
    })
    return { ...toResult(response, started_at), ...sent() }
  } catch (error) {
    const message = error instanceof SafeFetchFailure ? error.message : 'The delivery could not be sent.'
    const nothing = { http_status: null, response_headers: {}, response_body: null, pause_ms: null }
    return { is_delivered: false, error: message, ...nothing, ...sent() }
  }
}

/** The test inbox answers with what it received. Nothing leaves the process: its URL is not one that could be connected to. */
const keepInInbox = (request_headers: Readonly<Record<string, string>>, started_at: Date): WebhookResult => ({
  is_delivered: true,
  http_status: 200,
  request_headers,
  error: null,
  response_headers: request_headers,
  response_body: null,
  started_at,
  duration_ms: 0,
  pause_ms: null,
})

const webhookHeaders = (webhook: WebhookRequest, now: Date): Record<string, string> => ({
  'user-agent': 'Swath-Webhooks/1',
  ...webhook.headers,
  'content-type': 'application/json',
  'x-service-event': webhook.event_type,
  'x-service-event-id': webhook.event_id,
  'x-service-delivery-id': webhook.delivery_id,
  ...signatureHeaders(webhook.secrets, {
    event_id: webhook.event_id,
    timestamp_s: Math.floor(now.getTime() / 1000),
    body: webhook.body,
  }),
})

const isAccepted = (status: number): boolean => status >= 200 && status < 300

function toResult({ status, headers, body }: SafeFetchResponse, now: Date) {
  const text = Buffer.from(body).toString('utf8').slice(0, max_kept_characters)
  return {
    is_delivered: isAccepted(status),
    http_status: status,
    error: isAccepted(status) ? null : `The endpoint responded with status ${status}.`,
    response_headers: Object.fromEntries(
      Object.entries(headers)
        .slice(0, max_kept_headers)
        .map(([name, value]) => [name, value.slice(0, 500)]),
    ),
    // PostgreSQL stores no NUL, and no half of a surrogate pair.
    response_body: text === '' ? null : text.replaceAll('\u0000', '').toWellFormed(),
    pause_ms: isAccepted(status) ? null : parseRetryAfter(headers['retry-after'], now),
  }
}
