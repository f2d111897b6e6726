import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/platform/clock.ts'
import { parsePaymentProcessorEvent } from '../../src/platform/integrations/payments/parse-event.ts'
import { createStripePaymentProcessor } from '../../src/platform/integrations/payments/stripe/stripe.ts'
import { signWebhookBody } from '../../src/platform/integrations/payments/webhook-signature.ts'
import type { PaymentsHarness, CardKind, ReceivedWebhook } from './payments-harness.ts'

const secret_key = 'sk_test_swath'
const webhook_secret = 'whsec_swath'
const timeout_ms = 5000

/** Stripe's test card numbers; none has an early expiring authorisation. */
const cardNumbers: Readonly<Partial<Record<CardKind, string>>> = {
  good: '4242424242424242',
  declined: '4000000000000341',
  refused: '4000000000000002',
  challenge: '4000002760003184',
}

/** Contract tests that fail on localstripe because it differs from Stripe, with the reason. */
export const unsupportedByLocalstripe: Readonly<Record<string, string>> = {
  'a charge of a detached card is refused': 'it charges any card',
  'a card of another customer is refused': 'it charges any card',
  'find returns the captured amount of a partial capture': 'its intents have no captured amount',
  'a capture of zero is refused': 'it accepts a capture of zero',
  'a capture of a cancelled authorisation is refused': 'it captures cancelled intents',
  'amounts outside the limits of the processor are refused': 'it has no minimum amount',
  'a refund above the captured amount is refused': 'it refunds anything',
  'a refund of an uncaptured charge is refused': 'it refunds anything',
  'a declined charge names its intent, which stores the decline code': 'its error has no intent',
  'a key creates one customer and one setup intent': 'it ignores keys',
  'a key creates one charge, also if it is declined or challenged': 'it ignores keys',
  'a key creates one capture, one cancellation and one refund': 'it ignores keys',
  'concurrent requests with the same key create one charge': 'it ignores keys',
  'a key expires after 24 hours': 'its clock cannot be moved',
  'a capture of an expired authorisation is refused': 'its clock cannot be moved',
  'a failed charge sends a signed webhook': 'its error has no intent',
  'an authorisation, its capture, its cancellation and a refund send webhooks':
    'it sends webhooks of success and failure only',
}

async function readAll(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Starts a webhook receiver that tests can wait on. */
async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      received.push({ body, signature: String(request.headers['stripe-signature']) })
      response.end()
      for (const notify of waiting) notify()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const find = (intent: string, type: string): ReceivedWebhook | undefined =>
    received.find(({ body }) => {
      const event = parsePaymentProcessorEvent(body)
      return event.object_id === intent && event.type === type
    })
  const waitForWebhook = (intent: string, type: string): Promise<ReceivedWebhook> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(check)
        clearTimeout(timer)
      }
      const check = (): void => {
        const webhook = find(intent, type)
        if (!webhook) return
        stop()
        resolve(webhook)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`no ${type} webhook for ${intent} arrived`))
      }, timeout_ms)
      waiting.add(check)
      check()
    })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, waitForWebhook, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** The Stripe adapter, connected to a localstripe that runs at this URL. */
export async function connectLocalstripe(
  api_url: string,
): Promise<{ harness: PaymentsHarness; close: () => Promise<void> }> {
  const post = async (path: string, form: Record<string, string>): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${secret_key}` }
    const response = await fetch(`${api_url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    assert.equal(response.status, 200, `${path}: ${response.status}`)
    const text = await response.text()
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  const webhookReceiver = await startWebhookReceiver()
  await post('/_config/webhooks/swath', { url: webhookReceiver.url, secret: webhook_secret })
  const harness: PaymentsHarness = {
    payments: createStripePaymentProcessor({ secret_key, webhook_secret, api_url, clock: systemClock }),
    createCard: async (kind) => {
      const number = cardNumbers[kind]
      assert.ok(number, `there is no test card of kind ${kind}`)
      const card = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2040', 'card[cvc]': '123' }
      return String((await post('/v1/payment_methods', { type: 'card', ...card }))['id'])
    },
    answerChallenge: async ({ id, client_secret }, answer) => {
      const success = String(answer === 'complete')
      await post(`/v1/payment_intents/${id}/_authenticate`, { client_secret, success })
    },
    signWebhook: (body, age_s) =>
      signWebhookBody(webhook_secret, body, new Date(systemClock.now().getTime() - age_s * 1000)),
    waitForWebhook: webhookReceiver.waitForWebhook,
    advanceClock: () => assert.fail('the clock of the server cannot be moved'),
  }
  return { harness, close: webhookReceiver.close }
}
