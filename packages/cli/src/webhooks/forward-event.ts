import { createHmac } from 'node:crypto'

/** An event of the platform, as the stream and deliveries have it. */
export interface PlatformEvent {
  readonly event_id: string
  readonly event_type: string
  readonly timestamp: string
  readonly entity_id: string
}

/** The headers of a delivery that is signed as the platform signs (Standard Webhooks). */
export function signDelivery(secret: string, id: string, body: string, now_ms = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now_ms / 1000))
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const timeout_ms = 15_000

/** Posts an event to a receiver and returns what it answered, as a text for people. */
export async function forwardEvent(url: string, secret: string, event: PlatformEvent): Promise<string> {
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', ...signDelivery(secret, event.event_id, body) }
  try {
    const response = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(timeout_ms) })
    await response.body?.cancel()
    return `→ ${response.status}`
  } catch (error) {
    return `→ not delivered: ${error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)}`
  }
}
