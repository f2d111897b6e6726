import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import type { PaymentsHarness, CardKind, ReceivedWebhook } from '../../../../test/payments/payments-harness.ts'
import { unsupportedByLocalstripe, connectLocalstripe } from '../../../../test/payments/localstripe.ts'
import { runPaymentsContract } from '../../../../test/payments/run-payments-contract.ts'
import { createManualClock } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import { openEmbeddedPaymentProcessor, type EmbeddedPaymentProcessor } from './embedded/embedded.ts'
import { parsePaymentProcessorEvent } from './parse-event.ts'
import { signWebhookBody } from './webhook-signature.ts'

const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
const key = new Uint8Array(32).fill(5)
const receivedWebhooks: ReceivedWebhook[] = []
let database: Database
let payments: EmbeddedPaymentProcessor

before(async () => {
  database = await openTestDatabase()
  payments = openEmbeddedPaymentProcessor({ database, clock, key })
  payments.listen(async (body, signature) => void receivedWebhooks.push({ body, signature }))
})
after(() => database.close())

const cards: Readonly<Record<CardKind, string>> = {
  good: 'pm_card_good',
  declined: 'pm_card_declined',
  refused: 'pm_card_refused',
  challenge: 'pm_card_3ds',
  expiring: 'pm_card_expiring',
}

const bench = (): PaymentsHarness => ({
  payments,
  createCard: async (kind) => cards[kind],
  answerChallenge: async ({ client_secret }, holderResponse) =>
    void (await payments.settleChallenge(client_secret, holderResponse)),
  signWebhook: (body, age_s) => signWebhookBody(key, body, new Date(clock.now().getTime() - age_s * 1000)),
  waitForWebhook: async (intent, type) => {
    await payments.deliverEvents()
    const found = receivedWebhooks.find(({ body }) => {
      const event = parsePaymentProcessorEvent(body)
      return event.type === type && event.object_id === intent
    })
    assert.ok(found, `${type} of ${intent}`)
    return found
  },
  advanceClock: (milliseconds) => clock.advance(milliseconds),
})

runPaymentsContract('the embedded processor', bench)

/** An independent server with the API of Stripe, started by CI. Without it these tests are not registered. */
const localstripe = process.env['SWATH_TEST_LOCALSTRIPE']

if (localstripe) {
  let localstripeServer: Awaited<ReturnType<typeof connectLocalstripe>>
  before(async () => {
    localstripeServer = await connectLocalstripe(localstripe)
  })
  after(() => localstripeServer.close())
  runPaymentsContract('localstripe', () => localstripeServer.harness, unsupportedByLocalstripe)
}
