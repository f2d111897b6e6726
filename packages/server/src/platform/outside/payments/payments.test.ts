import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Bench, CardKind, Told } from '../../../../test/payments/bench.ts'
import { brokenByLocalstripe, openLocalstripe } from '../../../../test/payments/localstripe.ts'
import { tryPromises } from '../../../../test/payments/try-promises.ts'
import { manualClock } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import { openEmbedded, type EmbeddedProcessor } from './embedded/embedded.ts'
import { parseEvent } from './parse-event.ts'
import { signWebhook } from './webhook-signature.ts'

const clock = manualClock(new Date('2026-03-01T00:00:00.000Z'))
const key = new Uint8Array(32).fill(5)
const heard: Told[] = []
let database: Database
let payments: EmbeddedProcessor

before(async () => {
  database = await openTestDatabase()
  payments = openEmbedded({ database, clock, key })
  payments.listen(async (body, signature) => void heard.push({ body, signature }))
})
after(() => database.close())

const cards: Readonly<Record<CardKind, string>> = {
  good: 'pm_card_good',
  declined: 'pm_card_declined',
  refused: 'pm_card_refused',
  challenge: 'pm_card_3ds',
  expiring: 'pm_card_expiring',
}

const bench = (): Bench => ({
  payments,
  card: async (kind) => cards[kind],
  settle: async ({ client_secret }, answer) => void (await payments.settleChallenge(client_secret, answer)),
  sign: (body, age_s) => signWebhook(key, body, new Date(clock.now().getTime() - age_s * 1000)),
  told: async (intent, type) => {
    await payments.deliverEvents()
    const found = heard.find(({ body }) => {
      const event = parseEvent(body)
      return event.type === type && event.object_id === intent
    })
    assert.ok(found, `${type} of ${intent}`)
    return found
  },
  advance: (milliseconds) => clock.advance(milliseconds),
})

tryPromises('the embedded processor', bench)

/** An independent server with the API of Stripe, started by CI. Without it these tests are not registered. */
const localstripe = process.env['SWATH_TEST_LOCALSTRIPE']

if (localstripe) {
  let judge: Awaited<ReturnType<typeof openLocalstripe>>
  before(async () => {
    judge = await openLocalstripe(localstripe)
  })
  after(() => judge.close())
  tryPromises('localstripe', () => judge.bench, brokenByLocalstripe)
}
