import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { answerChallenge, waitUntilIdle, saveCard, openProcessor, type PaymentChallenge } from '../billing-helpers.ts'
import { findCaptures, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')], background: immediateRetries })
})
after(() => app?.close())

interface CallResponse {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
  readonly document: Readonly<Record<string, unknown>>
}

async function send(client: Client, id: string, key: string, body: object): Promise<CallResponse> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body: JSON.stringify(body), headers })
  const text = await response.text()
  const document = JSON.parse(text) as Record<string, unknown>
  return { status: response.status, replayed: response.headers.has('idempotency-replayed'), text, document }
}

const problemName = ({ document }: CallResponse): string => String(document['type']).split('/problems/')[1]!

const readChallenge = ({ document }: CallResponse): PaymentChallenge => document as unknown as PaymentChallenge

/** An operation that charges a card: its body, its status, and the state after payment. */
interface CardPaidOperation {
  readonly body: (org: TestOrganization, which?: number) => Promise<object>
  readonly status: number
  readonly assertPaid: (org: TestOrganization, response: CallResponse) => Promise<void>
  /** Tables that record a declined card, beside the tables of the processor. */
  readonly failureTables: readonly string[]
  /** The decision of the call is final even if the card is declined: the response is stored with its key. */
  readonly isFinalDecision?: true
}

const queryRows = <Row>(organization: string, statement: 'holds' | 'grants'): Promise<Row[]> =>
  app.database.unscoped.query<Row>(
    statement === 'holds'
      ? sql`select mode, amount_credits from credit_holds where organization_id = ${organization}`
      : sql`select amount_credits from journal_entries
            where organization_id = ${organization} and kind = 'purchase' order by position`,
  )

async function assertGrantedOnce({ organization }: TestOrganization): Promise<void> {
  assert.deepEqual(await queryRows(organization, 'grants'), [{ amount_credits: 1000 }])
  assert.deepEqual(await listCharges(organization), [1000])
}

const [scene, other] = smallScenes

const cardPaidOperations: Readonly<Record<string, CardPaidOperation>> = {
  'orders.archive.place': {
    body: async ({ owner }, which = 0) => ({
      captures: await findCaptures(owner.client, 'good', [[scene, other][which]!]),
    }),
    status: 202,
    assertPaid: async ({ organization, owner }, { document }) => {
      const order = await waitForOrder(owner.client, String(document['id']), 'FULFILLED')
      assert.deepEqual(await queryRows(organization, 'holds'), [{ mode: 'card', amount_credits: order.totalCredits }])
      await waitUntilIdle(app)
      assert.deepEqual(await listCharges(organization), [order.totalCredits])
    },
    failureTables: [],
  },
  'billing.approvals.approve': {
    body: async (org) => {
      const requester = await org.addMember('admin')
      const { id } = await requester.client.call<{ id: string }>('billing.approvals.request', { credits: 1000 })
      return { approval_id: id }
    },
    status: 200,
    assertPaid: assertGrantedOnce,
    failureTables: [],
    isFinalDecision: true,
  },
  'billing.topup': {
    body: async (_made, which = 0) => ({ credits: 1000 + which }),
    status: 201,
    assertPaid: assertGrantedOnce,
    // The attempt is published as `topup.failed`.
    failureTables: ['topups', 'events', 'notifications'],
  },
}

/** The intents of an organization at the processor, without the declined ones. */
async function listIntents(organization: string): Promise<{ id: string; status: string; captured_cents: number }[]> {
  return app.database.unscoped.query(sql`
    select intent.id, intent.status, intent.captured_cents from processor_intents intent
    join processor_customers customer on customer.id = intent.customer
    where customer.organization_id = ${organization} and intent.status <> 'requires_payment_method'
    order by intent.created_at, intent.id`)
}

/** The captured amounts of an organization in cents; asserts that all other intents were cancelled. */
async function listCharges(organization: string): Promise<number[]> {
  const intents = (await listIntents(organization)).filter(({ status }) => status !== 'canceled')
  assert.ok(
    intents.every(({ status }) => status === 'succeeded'),
    JSON.stringify(intents),
  )
  return intents.map(({ captured_cents }) => captured_cents)
}

/** Tables in which the processor records a declined attempt and its events: not ours to undo. */
const processorTables = ['processor_intents', 'processor_requests', 'processor_events', 'payment_events']

test('an order without credits and card returns 402 and changes nothing; after a grant the same key succeeds', async () => {
  const org = await createTestOrganization(app, 0)
  const { client } = org.owner
  const key = newId()
  const body = await cardPaidOperations['orders.archive.place']!.body(org)
  for (let times = 0; times < 2; times++) {
    const refusal = await assertUnchanged(app, () => send(client, 'orders.archive.place', key, body))
    assert.deepEqual([refusal.status, problemName(refusal)], [402, 'insufficient-credits'])
  }
  const grant = { organization_id: org.organization, amount_credits: 100_000, reason: 'test' }
  await app.admin.call('admin.orgs.credit_adjust', grant)
  const placed = await send(client, 'orders.archive.place', key, body)
  assert.deepEqual([placed.status, placed.replayed], [202, false], placed.text)
  await waitForOrder(client, String(placed.document['id']), 'FULFILLED')
})

for (const [id, { body, status, assertPaid, failureTables, isFinalDecision }] of Object.entries(cardPaidOperations)) {
  test(`${id}: a retry with the same key after a passed challenge completes the call`, async () => {
    const org = await createTestOrganization(app, 0)
    const { client } = org.owner
    await saveCard(client, 'pm_card_3ds')
    const [key, input] = [newId(), await body(org)]
    const first = await send(client, id, key, input)
    assert.deepEqual([first.status, problemName(first)], [402, 'payment-action-required'], first.text)
    const challenge = readChallenge(first)
    assert.match(challenge.client_secret, /^pi_\w+_secret_\w+$/)

    const repeated = await send(client, id, key, input)
    assert.deepEqual([repeated.status, repeated.replayed], [402, false])
    assert.equal(readChallenge(repeated).client_secret, challenge.client_secret)
    const conflict = await send(client, id, key, await body(org, 1))
    assert.deepEqual([conflict.status, problemName(conflict)], [409, 'idempotency-conflict'])
    assert.equal((await listIntents(org.organization)).length, 1)
    assert.deepEqual(
      [...(await queryRows(org.organization, 'holds')), ...(await queryRows(org.organization, 'grants'))],
      [],
    )

    await answerChallenge(challenge, 'complete')
    const paid = await Promise.all([send(client, id, key, input), send(client, id, key, input)])
    assert.deepEqual(
      paid.map((response) => response.status),
      [status, status],
      paid[0].text,
    )
    assert.equal(paid[0].text, paid[1].text)
    const replay = await send(client, id, key, input)
    assert.deepEqual([replay.text, replay.replayed], [paid[0].text, true])
    assert.equal((await listIntents(org.organization)).length, 1)
    await assertPaid(org, paid[0])
    await assertLedgerConsistent(app)
  })

  if (isFinalDecision) {
    test(`${id}: a failed challenge is the stored response, also with a new card`, async () => {
      const org = await createTestOrganization(app, 0)
      const { client } = org.owner
      await saveCard(client, 'pm_card_3ds')
      const [key, input] = [newId(), await body(org)]
      await answerChallenge(readChallenge(await send(client, id, key, input)), 'fail')
      const refusal = await send(client, id, key, input)
      assert.deepEqual([refusal.status, problemName(refusal), refusal.replayed], [402, 'payment-declined', false])
      await saveCard(client, 'pm_card_good')
      await waitUntilIdle(app)
      const repeated = await assertUnchanged(app, () => send(client, id, key, input))
      assert.deepEqual([repeated.status, repeated.text, repeated.replayed], [402, refusal.text, true])
      const other = await send(client, id, newId(), input)
      assert.deepEqual([other.status, problemName(other)], [409, 'already-decided'])
      assert.deepEqual(await listCharges(org.organization), [])
      await assertLedgerConsistent(app)
    })
    continue
  }

  test(`${id}: a failed challenge returns 402, and the same key succeeds with a valid card`, async () => {
    const org = await createTestOrganization(app, 0)
    const { client } = org.owner
    await saveCard(client, 'pm_card_3ds')
    const [key, input] = [newId(), await body(org)]
    await answerChallenge(readChallenge(await send(client, id, key, input)), 'fail')
    for (const card of [null, 'pm_card_declined']) {
      if (card) await saveCard(client, card)
      const refusal = await send(client, id, key, input)
      assert.deepEqual([refusal.status, problemName(refusal)], [402, 'payment-declined'], refusal.text)
      assert.equal(refusal.document['client_secret'], undefined)
    }
    await saveCard(client, 'pm_card_good')
    const paid = await send(client, id, key, input)
    assert.deepEqual([paid.status, paid.replayed], [status, false], paid.text)
    await assertPaid(org, paid)
    await assertLedgerConsistent(app)
  })

  test(`${id}: a declined card changes nothing except the records of the processor`, async () => {
    const org = await createTestOrganization(app, 0)
    await saveCard(org.owner.client, 'pm_card_declined')
    const input = await body(org)
    await waitUntilIdle(app)
    // A client that signs in first: signing in changes nothing either, and no token is cached yet.
    const unused = app.createClientFor(org.owner.email, org.owner.password)
    const refusal = await assertUnchanged(
      app,
      async () => {
        const response = await send(unused, id, newId(), input)
        await waitUntilIdle(app)
        return response
      },
      { exceptTables: [...processorTables, ...failureTables] },
    )
    assert.deepEqual([refusal.status, problemName(refusal)], [402, 'payment-declined'])
    assert.deepEqual(await listCharges(org.organization), [])
  })
}

test('an authorisation without a retry of its call is cancelled', async () => {
  const org = await createTestOrganization(app, 0)
  const { client } = org.owner
  await saveCard(client, 'pm_card_3ds')
  const key = newId()
  const input = await cardPaidOperations['orders.archive.place']!.body(org)
  await answerChallenge(readChallenge(await send(client, 'orders.archive.place', key, input)), 'complete')
  await app.database.unscoped.query(sql`
    update billing_deadlines set due_at = ${app.clock.now()} where organization_id = ${org.organization}`)
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {}))
  await waitUntilIdle(app)
  assert.deepEqual(
    (await listIntents(org.organization)).map((intent) => intent.status),
    ['canceled'],
  )
  // The key is still valid and starts a new attempt, since the first one was cancelled.
  const repeated = await send(client, 'orders.archive.place', key, input)
  assert.deepEqual([repeated.status, problemName(repeated)], [402, 'payment-action-required'])
  assert.equal((await listIntents(org.organization)).length, 2)
  assert.equal((await openProcessor(app).findChallenge(readChallenge(repeated).client_secret))?.state, 'open')
})
