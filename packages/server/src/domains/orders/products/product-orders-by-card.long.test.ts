import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import type { ApiProblem } from '@swath/client/problem.ts'
import {
  answerChallenge,
  openProcessor,
  saveCard,
  waitUntilIdle,
  type PaymentChallenge,
} from '../../../../test/billing-helpers.ts'
import { createFaultyHost, smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { findCaptures, toProductOrder, waitForOrder } from '../../../../test/orders.ts'
import { startTestApp, immediateRetries, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization } from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ background: immediateRetries, hosts: [await createFaultyHost('good')] })
})
after(() => app?.close())

type PlaceOutput = OutputOf<'orders.place'>

interface CardPayer {
  readonly client: Client
  readonly organization: string
  /** Orders the scene in two features, with the same idempotency key each time. */
  readonly place: () => Promise<PlaceOutput>
  readonly dryRun: () => Promise<PlaceOutput>
}

/** A free organization without credits that has a saved card. */
async function createCardPayer(card: string): Promise<CardPayer> {
  const { owner, project, organization } = await createTestOrganization(app, 0)
  const { client } = owner
  await saveCard(client, card)
  const [capture] = await findCaptures(client, 'good', [smallScenes[0]])
  const order = await toProductOrder(client, capture!, [capture!.geometry, capture!.geometry])
  const idempotencyKey = newId()
  const input = { ...order, workspaceId: project }
  return {
    client,
    organization,
    place: () => client.call('orders.place', input, { idempotencyKey }),
    dryRun: () => client.call('orders.place', { ...input, dry_run: true }),
  }
}

/** The intents of the authorisations of an organization, oldest first. */
async function listIntents(organization: string) {
  const rows = await app.database.unscoped.query<{ intent: string }>(sql`
    select intent from card_authorisations where organization_id = ${organization} order by id`)
  return Promise.all(rows.map(({ intent }) => openProcessor(app).find(intent)))
}

const countOrders = async ({ client }: CardPayer): Promise<number> =>
  (await client.call('orders.list', {})).totalElements

test('each order has an authorisation of its own, which is captured at its delivery', async () => {
  const payer = await createCardPayer('pm_card_good')
  const { orders } = await payer.place()
  assert.deepEqual(
    orders.map(({ billingMode }) => billingMode),
    ['card', 'card'],
  )
  for (const { id } of orders) await waitForOrder(payer.client, id, 'FULFILLED')
  await waitUntilIdle(app)
  assert.deepEqual(
    (await listIntents(payer.organization)).map(({ status, captured_cents }) => [status, captured_cents]),
    orders.map(({ totalCredits }) => ['succeeded', totalCredits]),
  )
  await assertLedgerConsistent(app)
})

test('a declined card orders nothing, and leaves no authorisation', async () => {
  const payer = await createCardPayer('pm_card_declined')
  await assert.rejects(payer.place(), { problem: 'payment-declined', status: 402 })
  assert.equal(await countOrders(payer), 0)
  assert.deepEqual(await listIntents(payer.organization), [])
})

test('a dry run asks no card', async () => {
  const payer = await createCardPayer('pm_card_declined')
  const { orders, dry_run } = await payer.dryRun()
  assert.deepEqual([orders.length, dry_run!.entries.length], [2, 2])
  assert.deepEqual(await listIntents(payer.organization), [])
})

test('if the spend limit permits the first order only, its authorisation is voided and nothing is ordered', async () => {
  const payer = await createCardPayer('pm_card_good')
  const { orders } = await payer.dryRun()
  const { id: userId } = (await payer.client.call('users.me', {})).user!
  await payer.client.call('organizations.members.set_spend_limit', {
    userId,
    spendLimitCredits: 2 * orders[0]!.totalCredits - 1,
  })
  const { place, organization } = payer
  await assert.rejects(place(), { problem: 'spend-limit-exceeded', status: 403 })
  await waitUntilIdle(app)
  assert.equal(await countOrders(payer), 0)
  assert.deepEqual(
    (await listIntents(organization)).map(({ status }) => status),
    ['canceled'],
  )
})

test('3-D Secure: after the challenge of each order the same call with its key places all of them', async () => {
  const payer = await createCardPayer('pm_card_3ds')
  for (const challenged of [1, 2]) {
    const challenge = await payer.place().then(
      () => assert.fail('the card was not challenged'),
      (error: ApiProblem) => {
        assert.equal(error.problem, 'payment-action-required')
        return error.document as unknown as PaymentChallenge
      },
    )
    assert.equal((await listIntents(payer.organization)).length, challenged)
    assert.equal(await countOrders(payer), 0)
    await answerChallenge(challenge, 'complete')
  }
  const { orders } = await payer.place()
  for (const { id } of orders) await waitForOrder(payer.client, id, 'FULFILLED')
  await waitUntilIdle(app)
  assert.deepEqual(
    (await listIntents(payer.organization)).map(({ status }) => status),
    ['succeeded', 'succeeded'],
  )
  assert.deepEqual((await payer.place()).orders, orders)
  await assertLedgerConsistent(app)
})
