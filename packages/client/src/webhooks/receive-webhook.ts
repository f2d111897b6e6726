import { verifyWebhook, WebhookVerificationError, type WebhookVerificationOptions } from './verify-webhook.ts'
import type { DeliveredEvent } from './webhook-event.ts'

/** The ids of events that were handled: a `Set`, or a table that several processes share. */
export interface SeenEvents {
  has(event_id: string): boolean | Promise<boolean>
  add(event_id: string): unknown
}

export interface WebhookReceiverOptions extends WebhookVerificationOptions {
  readonly secret: string
  /** Does what the event asks for, briefly: the platform waits ten seconds. If it throws, the event is delivered again later. */
  readonly onEvent: (event: DeliveredEvent) => void | Promise<void>
  /** Events that are delivered again are acknowledged without being handled again. */
  readonly seen?: SeenEvents
  /** Called with what `onEvent` threw, and with deliveries that were refused. */
  readonly onError?: (error: unknown) => void
  /** Bodies that are longer are refused; default 1 MiB. */
  readonly max_body_bytes?: number
}

export const default_max_body_bytes = 2 ** 20

/** The response to a delivery, for any server. */
export interface WebhookResponse {
  /** 2xx acknowledges; after any other status the platform delivers again. */
  readonly status: number
  readonly body: string
}

export interface DeliveredRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The exact body; null: it is longer than permitted, or cannot be read. */
  readonly body: Uint8Array | string | null
}

/** Verifies a delivery and handles its event. Never throws. */
export async function receiveWebhook(
  options: WebhookReceiverOptions,
  { headers, body }: DeliveredRequest,
): Promise<WebhookResponse> {
  const { secret, onEvent, seen } = options
  if (body === null) return { status: 413, body: 'The body is too long.' }
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const event = await verifyWebhook(secret, { headers, body: text }, options)
    if (await seen?.has(event.event_id)) return { status: 200, body: 'seen' }
    await onEvent(event)
    await seen?.add(event.event_id)
    return { status: 200, body: 'ok' }
  } catch (error) {
    reportError(options, error)
    // Not 410, which would end the subscription.
    return error instanceof WebhookVerificationError
      ? { status: 401, body: error.message }
      : { status: 500, body: 'The event was not handled.' }
  }
}

/** The response to a delivery whose sender hung up, or whose body cannot be read. */
export const unreadableResponse: WebhookResponse = { status: 400, body: 'The body could not be read.' }

/** Tells the receiver of an error; one of its own must not end the program. */
export function reportError({ onError }: Pick<WebhookReceiverOptions, 'onError'>, error: unknown): void {
  try {
    onError?.(error)
  } catch {
    // There is nobody else to tell.
  }
}

/** Reads a body up to a limit; null if it is longer. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array | string>,
  max_body_bytes = default_max_body_bytes,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > max_body_bytes) return null
    pieces.push(bytes)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return body
}
