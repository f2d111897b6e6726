import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook, WebhookVerificationError, type ReceivedWebhook } from './verify-webhook.ts'

const now_ms = Date.parse('2026-03-01T00:00:00.000Z')
const [secret, previous] = ['whsec_MDEyMzQ1Njc4OWFiY2RlZg==', 'whsec_ZmVkY2JhOTg3NjU0MzIxMA==']
const body = JSON.stringify({ event_id: 'e-1', event_type: 'order.fulfilled', data: { name: 'Zürich 🛰️ \u2028' } })

/** As Standard Webhooks defines it; the tests of the server compare its deliveries with the public libraries. */
function sign(key: Buffer, timestamp_s: number): string {
  return `v1,${createHmac('sha256', key).update(`e-1.${timestamp_s}.${body}`).digest('base64')}`
}

const keyOf = (text: string): Buffer =>
  text.startsWith('whsec_') ? Buffer.from(text.slice('whsec_'.length), 'base64') : Buffer.from(text, 'utf8')

function deliver(
  secrets: readonly string[] = [secret],
  sent_ms = now_ms,
): ReceivedWebhook & { headers: Record<string, string> } {
  const timestamp_s = Math.floor(sent_ms / 1000)
  const headers = {
    'webhook-id': 'e-1',
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': secrets.map((text) => sign(keyOf(text), timestamp_s)).join(' '),
  }
  return { headers, body }
}

const refuses = (delivery: ReceivedWebhook, key = secret): Promise<void> =>
  assert.rejects(verifyWebhook(key, delivery, { now_ms }), WebhookVerificationError)

test('a delivery that was signed with the secret is accepted and its event returned', async () => {
  assert.deepEqual(await verifyWebhook(secret, deliver(), { now_ms }), JSON.parse(body))
})

test('during a rotation both secrets verify, and a text that a client chose is a secret as it is', async () => {
  for (const key of [secret, previous]) await verifyWebhook(key, deliver([secret, previous]), { now_ms })
  const chosen = 'a secret of my own'
  await verifyWebhook(chosen, deliver([chosen]), { now_ms })
})

test('another secret, a changed body, id or time, and a signature of another version are refused', async () => {
  const { headers } = deliver()
  await refuses(deliver(), previous)
  await refuses({ headers, body: `${body} ` })
  await refuses({ headers: { ...headers, 'webhook-id': 'e-2' }, body })
  await refuses({ headers: { ...headers, 'webhook-timestamp': String(now_ms / 1000 + 1) }, body })
  await refuses({
    headers: { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') },
    body,
  })
  await refuses({ headers: { ...headers, 'webhook-signature': 'v1,not base64!' }, body })
  await refuses(deliver(), 'whsec_')
})

test('a missing header, and one that was sent twice, are refused', async () => {
  const { headers } = deliver()
  for (const name of Object.keys(headers)) {
    await refuses({ headers: { ...headers, [name]: undefined }, body })
    await refuses({ headers: { ...headers, [name]: [headers[name]!, headers[name]!] }, body })
  }
})

test('clocks may differ by five minutes in both directions, or by what the receiver says', async () => {
  for (const skew_s of [-300, -1, 0, 299, 300])
    await verifyWebhook(secret, deliver([secret], now_ms + skew_s * 1000), { now_ms })
  for (const skew_s of [-301, 301, 86_400]) await refuses(deliver([secret], now_ms + skew_s * 1000))
  await verifyWebhook(secret, deliver([secret], now_ms - 3_600_000), { now_ms, tolerance_s: 3600 })
  const { headers } = deliver()
  await refuses({ headers: { ...headers, 'webhook-timestamp': 'now' }, body })
})
