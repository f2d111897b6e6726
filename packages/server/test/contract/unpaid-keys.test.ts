import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertBooks, unchanged } from '../books.ts'
import { faultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { answerChallenge, atRest, giveCard, processorOf, type Challenge } from '../house-money.ts'
import { capturesOf, waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { bootHouse, hurried, type TestHouse } from '../setup.ts'

let house: TestHouse
before(async () => {
  house = await bootHouse({ hosts: [await faultyHost('good')], background: hurried })
})
after(() => house?.close())

interface Said {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
  readonly document: Readonly<Record<string, unknown>>
}

async function send(client: Client, id: string, key: string, body: object): Promise<Said> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body: JSON.stringify(body), headers })
  const text = await response.text()
  const document = JSON.parse(text) as Record<string, unknown>
  return { status: response.status, replayed: response.headers.has('idempotency-replayed'), text, document }
}

const problemOf = ({ document }: Said): string => String(document['type']).split('/problems/')[1]!

const challengeOf = ({ document }: Said): Challenge => document as unknown as Challenge

/** An operation that charges a card: its body, its status, and the state after payment. */
interface Paid {
  readonly body: (made: TestOrganization, which?: number) => Promise<object>
  readonly status: number
  readonly afterwards: (made: TestOrganization, answer: Said) => Promise<void>
  /** Tables that record a declined card, beside the tables of the processor. */
  readonly records: readonly string[]
  /** The decision of the call is final even if the card is declined: the response is stored with its key. */
  readonly decides?: true
}

const rows = <Row>(organization: string, statement: 'holds' | 'grants'): Promise<Row[]> =>
  house.database.across.query<Row>(
    statement === 'holds'
      ? sql`select mode, amount_credits from credit_holds where organization_id = ${organization}`
      : sql`select amount_credits from journal_entries
            where organization_id = ${organization} and kind = 'purchase' order by position`,
  )

async function grantedOnce({ organization }: TestOrganization): Promise<void> {
  assert.deepEqual(await rows(organization, 'grants'), [{ amount_credits: 1000 }])
  assert.deepEqual(await chargesOf(organization), [1000])
}

const [scene, other] = smallScenes

const byCard: Readonly<Record<string, Paid>> = {
  'orders.archive.place': {
    body: async ({ owner }, which = 0) => ({
      captures: await capturesOf(owner.client, 'good', [[scene, other][which]!]),
    }),
    status: 202,
    afterwards: async ({ organization, owner }, { document }) => {
      const order = await waitForOrder(owner.client, String(document['id']), 'FULFILLED')
      assert.deepEqual(await rows(organization, 'holds'), [{ mode: 'card', amount_credits: order.totalCredits }])
      await atRest(house)
      assert.deepEqual(await chargesOf(organization), [order.totalCredits])
    },
    records: [],
  },
  'billing.approvals.approve': {
    body: async (made) => {
      const asker = await made.join('admin')
      const { id } = await asker.client.call<{ id: string }>('billing.approvals.request', { credits: 1000 })
      return { approval_id: id }
    },
    status: 200,
    afterwards: grantedOnce,
    records: [],
    decides: true,
  },
  'billing.topup': {
    body: async (_made, which = 0) => ({ credits: 1000 + which }),
    status: 201,
    afterwards: grantedOnce,
    // The attempt is published as `topup.failed`.
    records: ['topups', 'events'],
  },
}

/** The intents of an organization at the processor, without the declined ones. */
async function intentsOf(organization: string): Promise<{ id: string; status: string; captured_cents: number }[]> {
  return house.database.across.query(sql`
    select intent.id, intent.status, intent.captured_cents from processor_intents intent
    join processor_customers customer on customer.id = intent.customer
    where customer.organization_id = ${organization} and intent.status <> 'requires_payment_method'
    order by intent.created_at, intent.id`)
}

/** The captured amounts of an organization in cents; asserts that all other intents were cancelled. */
async function chargesOf(organization: string): Promise<number[]> {
  const intents = (await intentsOf(organization)).filter(({ status }) => status !== 'canceled')
  assert.ok(
    intents.every(({ status }) => status === 'succeeded'),
    JSON.stringify(intents),
  )
  return intents.map(({ captured_cents }) => captured_cents)
}

/** Tables in which the processor records a declined attempt and its events: not ours to undo. */
const ofProcessor = ['processor_intents', 'processor_requests', 'processor_events', 'payment_events']

test('an order without credits and card returns 402 and changes nothing; after a grant the same key succeeds', async () => {
  const made = await makeOrganization(house, 0)
  const { client } = made.owner
  const key = newId()
  const body = await byCard['orders.archive.place']!.body(made)
  for (let times = 0; times < 2; times++) {
    const refused = await unchanged(house, () => send(client, 'orders.archive.place', key, body))
    assert.deepEqual([refused.status, problemOf(refused)], [402, 'insufficient-credits'])
  }
  const grant = { organization_id: made.organization, amount_credits: 100_000, reason: 'test' }
  await house.admin.call('admin.orgs.credit_adjust', grant)
  const placed = await send(client, 'orders.archive.place', key, body)
  assert.deepEqual([placed.status, placed.replayed], [202, false], placed.text)
  await waitForOrder(client, String(placed.document['id']), 'FULFILLED')
})

for (const [id, { body, status, afterwards, records, decides }] of Object.entries(byCard)) {
  if (!findOperation(id)!.answered) {
    test(`${id}: not implemented yet`, (t) => t.diagnostic(`${id} returns 501`))
    continue
  }

  test(`${id}: a retry with the same key after a passed challenge completes the call`, async () => {
    const made = await makeOrganization(house, 0)
    const { client } = made.owner
    await giveCard(client, 'pm_card_3ds')
    const [key, wish] = [newId(), await body(made)]
    const first = await send(client, id, key, wish)
    assert.deepEqual([first.status, problemOf(first)], [402, 'payment-action-required'], first.text)
    const challenge = challengeOf(first)
    assert.match(challenge.client_secret, /^pi_\w+_secret_\w+$/)

    const again = await send(client, id, key, wish)
    assert.deepEqual([again.status, again.replayed], [402, false])
    assert.equal(challengeOf(again).client_secret, challenge.client_secret)
    const conflict = await send(client, id, key, await body(made, 1))
    assert.deepEqual([conflict.status, problemOf(conflict)], [409, 'idempotency-conflict'])
    assert.equal((await intentsOf(made.organization)).length, 1)
    assert.deepEqual([...(await rows(made.organization, 'holds')), ...(await rows(made.organization, 'grants'))], [])

    await answerChallenge(challenge, 'complete')
    const paid = await Promise.all([send(client, id, key, wish), send(client, id, key, wish)])
    assert.deepEqual(
      paid.map((answer) => answer.status),
      [status, status],
      paid[0].text,
    )
    assert.equal(paid[0].text, paid[1].text)
    const replay = await send(client, id, key, wish)
    assert.deepEqual([replay.text, replay.replayed], [paid[0].text, true])
    assert.equal((await intentsOf(made.organization)).length, 1)
    await afterwards(made, paid[0])
    await assertBooks(house)
  })

  if (decides) {
    test(`${id}: a failed challenge is the stored response, also with a new card`, async () => {
      const made = await makeOrganization(house, 0)
      const { client } = made.owner
      await giveCard(client, 'pm_card_3ds')
      const [key, wish] = [newId(), await body(made)]
      await answerChallenge(challengeOf(await send(client, id, key, wish)), 'fail')
      const refused = await send(client, id, key, wish)
      assert.deepEqual([refused.status, problemOf(refused), refused.replayed], [402, 'payment-declined', false])
      await giveCard(client, 'pm_card_good')
      await atRest(house)
      const again = await unchanged(house, () => send(client, id, key, wish))
      assert.deepEqual([again.status, again.text, again.replayed], [402, refused.text, true])
      const other = await send(client, id, newId(), wish)
      assert.deepEqual([other.status, problemOf(other)], [409, 'already-decided'])
      assert.deepEqual(await chargesOf(made.organization), [])
      await assertBooks(house)
    })
    continue
  }

  test(`${id}: a failed challenge returns 402, and the same key succeeds with a valid card`, async () => {
    const made = await makeOrganization(house, 0)
    const { client } = made.owner
    await giveCard(client, 'pm_card_3ds')
    const [key, wish] = [newId(), await body(made)]
    await answerChallenge(challengeOf(await send(client, id, key, wish)), 'fail')
    for (const card of [null, 'pm_card_declined']) {
      if (card) await giveCard(client, card)
      const refused = await send(client, id, key, wish)
      assert.deepEqual([refused.status, problemOf(refused)], [402, 'payment-declined'], refused.text)
      assert.equal(refused.document['client_secret'], undefined)
    }
    await giveCard(client, 'pm_card_good')
    const paid = await send(client, id, key, wish)
    assert.deepEqual([paid.status, paid.replayed], [status, false], paid.text)
    await afterwards(made, paid)
    await assertBooks(house)
  })

  test(`${id}: a declined card changes nothing except the records of the processor`, async () => {
    const made = await makeOrganization(house, 0)
    await giveCard(made.owner.client, 'pm_card_declined')
    const wish = await body(made)
    await atRest(house)
    const refused = await unchanged(house, async () => {
      const answer = await send(made.owner.client, id, newId(), wish)
      await atRest(house)
      return answer
    }, [...ofProcessor, ...records])
    assert.deepEqual([refused.status, problemOf(refused)], [402, 'payment-declined'])
    assert.deepEqual(await chargesOf(made.organization), [])
  })
}

test('an authorisation without a retry of its call is cancelled', async () => {
  const made = await makeOrganization(house, 0)
  const { client } = made.owner
  await giveCard(client, 'pm_card_3ds')
  const key = newId()
  const wish = await byCard['orders.archive.place']!.body(made)
  await answerChallenge(challengeOf(await send(client, 'orders.archive.place', key, wish)), 'complete')
  await house.database.across.query(sql`
    update billing_deadlines set due_at = ${house.clock.now()} where organization_id = ${made.organization}`)
  await house.database.across.transaction((tx) => house.queue.enqueue(tx, 'billing.sweep-deadlines', {}))
  await atRest(house)
  assert.deepEqual(
    (await intentsOf(made.organization)).map((intent) => intent.status),
    ['canceled'],
  )
  // The key is still valid and starts a new attempt, since the first one was cancelled.
  const again = await send(client, 'orders.archive.place', key, wish)
  assert.deepEqual([again.status, problemOf(again)], [402, 'payment-action-required'])
  assert.equal((await intentsOf(made.organization)).length, 2)
  assert.equal((await processorOf(house).findChallenge(challengeOf(again).client_secret))?.state, 'open')
})
