import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/platform/clock.ts'
import { parseEvent } from '../../src/platform/outside/payments/parse-event.ts'
import { openStripe } from '../../src/platform/outside/payments/stripe/stripe.ts'
import { signWebhook } from '../../src/platform/outside/payments/webhook-signature.ts'
import type { Bench, CardKind, Told } from './bench.ts'

const secret_key = 'sk_test_swath'
const webhook_secret = 'whsec_swath'
const patience_ms = 5000

/** The numbers of Stripe's test cards; it has none that forgets an authorisation soon. */
const numbers: Readonly<Partial<Record<CardKind, string>>> = {
  good: '4242424242424242',
  declined: '4000000000000341',
  refused: '4000000000000002',
  challenge: '4000002760003184',
}

/** What this server does not do as Stripe does, by the promise that cannot be kept on it. */
export const brokenByLocalstripe: Readonly<Record<string, string>> = {
  'a detached card is not charged': 'it charges any card',
  'the card of one customer is not there for another': 'it charges any card',
  'a partial capture is found again': 'an intent does not say how much was captured',
  'a capture of nothing is refused': 'it captures nothing and calls it a success',
  'what was given back is not captured': 'it captures what was cancelled',
  'amounts that no card can pay are refused': 'it knows no least amount',
  'no more is refunded than was taken': 'it refunds anything',
  'what was never taken is not refunded': 'it refunds anything',
  'a refused charge names its intent, which keeps the reason': 'its refusal names no intent',
  'a key makes one customer and one setup intent': 'it ignores keys',
  'a key makes one charge, also where it is declined or challenged': 'it ignores keys',
  'a key makes one capture, one cancellation, one refund': 'it ignores keys',
  'the same key many times at once is one charge': 'it ignores keys',
  'a key is free again after a day, and not before': 'its clock cannot be moved',
  'an authorisation that ran out is not captured': 'its clock cannot be moved',
  'a charge that failed is told, signed': 'its refusal names no intent',
  'an authorisation, its end and a refund are told': 'it tells success and failure only',
}

async function readAll(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Hears webhooks, and tells who waits for one. */
async function openEar() {
  const heard: Told[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      heard.push({ body, signature: String(request.headers['stripe-signature']) })
      response.end()
      for (const wake of waiting) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const find = (intent: string, type: string): Told | undefined =>
    heard.find(({ body }) => {
      const event = parseEvent(body)
      return event.object_id === intent && event.type === type
    })
  const told = (intent: string, type: string): Promise<Told> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(look)
        clearTimeout(timer)
      }
      const look = (): void => {
        const found = find(intent, type)
        if (!found) return
        stop()
        resolve(found)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`${type} of ${intent} was not told`))
      }, patience_ms)
      waiting.add(look)
      look()
    })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, told, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** The official SDK's adapter against a localstripe that somebody started at this address. */
export async function openLocalstripe(api_url: string): Promise<{ bench: Bench; close: () => Promise<void> }> {
  const post = async (path: string, form: Record<string, string>): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${secret_key}` }
    const answer = await fetch(`${api_url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    assert.equal(answer.status, 200, `${path}: ${answer.status}`)
    const text = await answer.text()
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  const ear = await openEar()
  await post('/_config/webhooks/swath', { url: ear.url, secret: webhook_secret })
  const bench: Bench = {
    payments: openStripe({ secret_key, webhook_secret, api_url, clock: systemClock }),
    card: async (kind) => {
      const number = numbers[kind]
      assert.ok(number, `there is no card that is ${kind}`)
      const card = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2040', 'card[cvc]': '123' }
      return String((await post('/v1/payment_methods', { type: 'card', ...card }))['id'])
    },
    settle: async ({ id, client_secret }, answer) => {
      const success = String(answer === 'complete')
      await post(`/v1/payment_intents/${id}/_authenticate`, { client_secret, success })
    },
    sign: (body, age_s) => signWebhook(webhook_secret, body, new Date(systemClock.now().getTime() - age_s * 1000)),
    told: ear.told,
    advance: () => assert.fail('the clock of the server cannot be moved'),
  }
  return { bench, close: ear.close }
}
