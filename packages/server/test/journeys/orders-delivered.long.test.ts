import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import {
  findCaptures,
  getEntityEvents,
  getWalletBalance,
  placeSceneOrder,
  waitForOrderTasks,
  enqueueOrderSweep,
  waitForOrder,
  type WalletBalance,
  type OrderJson,
} from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
const delayedHost = await createFaultyHost('later', {
  deliveries: ['waiting', 'waiting', 'ready'],
  delivers_later: true,
})

before(async () => {
  app = await startTestApp({ background: immediateRetries, hosts: [await createFaultyHost('good'), delayedHost] })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

interface OrderManifest {
  readonly collection_id: string
  readonly item_count: number
  readonly features: readonly {
    readonly item_id: string
    readonly assets: Record<string, { readonly ready: boolean }>
  }[]
}

const getManifest = (order_id: string): Promise<OrderManifest> =>
  org.owner.client.call<OrderManifest>('orders.list_assets', { order_id })

const statusSequence = (order: OrderJson): string[] => order.statusHistory.map((change) => change.to)

async function placeAndWait(
  host: string,
  ids: readonly string[],
): Promise<{ order: OrderJson; before: WalletBalance }> {
  const before = await getWalletBalance(org.owner.client)
  const id = await placeSceneOrder(org.owner.client, host, ids)
  return { order: await waitForOrder(org.owner.client, id, 'FULFILLED'), before }
}

test('the estimate, hold, capture and transactions of a priced order have the same amount', async () => {
  const { client } = org.owner
  const captures = await findCaptures(client, 'good', smallScenes)
  const estimate = await client.call('orders.archive.estimate', { captures })
  const { order, before } = await placeAndWait('good', smallScenes)
  assert.ok(estimate.total_credits > 0)
  assert.equal(order.totalCredits, estimate.total_credits)
  assert.equal(order.creditsCaptured, estimate.total_credits)
  assert.equal(order.creditsRefunded, 0)
  assert.equal(order.fulfillment, 'complete')
  assert.equal(order.failureReason, null)
  assert.deepEqual(statusSequence(order), ['CREATED', 'BEING_PLACED', 'PLACED', 'BEING_FULFILLED', 'FULFILLED'])
  assert.deepEqual(await getWalletBalance(client), { available: before.available - order.totalCredits, held: 0 })

  const { transactions } = await client.call('billing.credits.transactions', { limit: 2 })
  assert.deepEqual(
    transactions.map(({ reason, amount_credits, reference }) => ({ reason, amount_credits, reference })),
    [
      { reason: 'capture', amount_credits: -order.totalCredits, reference: { type: 'order', id: order.id } },
      { reason: 'hold', amount_credits: -order.totalCredits, reference: { type: 'order', id: order.id } },
    ],
  )
  await assertLedgerConsistent(app)
})

test('a delivery creates a collection with one item per scene, each with lineage and an event', async () => {
  const { client } = org.owner
  const { order } = await placeAndWait('good', smallScenes)
  const manifest = await getManifest(order.id)
  assert.equal(manifest.item_count, 2)
  assert.equal(manifest.collection_id, order.collectionId)
  const { collection } = await client.call('collections.get', {
    project_id: org.project,
    collection_id: manifest.collection_id,
  })
  assert.equal(collection.auto_created, true)
  assert.equal(collection.source_type, 'order')
  assert.equal(collection.source_id, order.id)
  for (const { item_id, assets } of manifest.features) {
    assert.deepEqual(Object.keys(assets).sort(), ['data', 'thumbnail'])
    assert.ok(Object.values(assets).every((asset) => asset.ready))
    const lineage = await client.call('items.lineage', { item_id })
    assert.deepEqual(
      lineage.parents.map(({ entity_type, entity_id, relation }) => [entity_type, entity_id, relation]),
      [['order', order.id, 'delivered_by']],
    )
    const [created] = await getEntityEvents(client, item_id)
    assert.equal(created?.event_type, 'item.created')
    assert.equal(created.data['order_id'], order.id)
  }
  const up = await client.call('provenance.get', { entity_type: 'item', entity_id: manifest.features[0]!.item_id })
  assert.deepEqual(
    up.nodes.filter((node) => node.entity_type === 'capture').map((node) => node.entity_id),
    smallScenes.map((scene) => `good:${scene}`),
  )
  const down = await client.call('provenance.get', {
    entity_type: 'capture',
    entity_id: `good:${smallScenes[0]}`,
    direction: 'down',
  })
  const items = new Set(down.nodes.filter((node) => node.entity_type === 'item').map((node) => node.entity_id))
  assert.ok(manifest.features.every(({ item_id }) => items.has(item_id)))
})

test('each status change of an order emits one event with the amounts of the journal', async () => {
  const { order } = await placeAndWait('good', smallScenes)
  const events = await getEntityEvents(org.owner.client, order.id)
  assert.deepEqual(
    events.map((event) => [event.event_type, event.data['fromStatus'], event.data['toStatus']]),
    [
      ['order.created', null, 'CREATED'],
      ['order.placed', 'BEING_PLACED', 'PLACED'],
      ['order.being_fulfilled', 'PLACED', 'BEING_FULFILLED'],
      ['order.fulfilled', 'BEING_FULFILLED', 'FULFILLED'],
    ],
  )
  assert.equal(events[2]!.data['newItemCount'], smallScenes.length)
  assert.equal(events[3]!.data['creditsCaptured'], order.totalCredits)
  assert.ok(events.every((event) => event.data['creditsRefunded'] === 0 && event.data['failureReason'] === null))
})

test('a free order is delivered without a hold or a journal entry', async () => {
  const { total } = await org.owner.client.call('billing.credits.transactions', { limit: 1 })
  const { order, before } = await placeAndWait('open', ['l8-stormlake-20200829'])
  assert.equal(order.totalCredits, 0)
  assert.equal(order.fulfillment, 'complete')
  assert.deepEqual(await getWalletBalance(org.owner.client), before)
  assert.equal((await org.owner.client.call('billing.credits.transactions', { limit: 1 })).total, total)
  await assertLedgerConsistent(app)
})

test('one order may contain captures of several hosts', async () => {
  const { client } = org.owner
  const captures = [
    ...(await findCaptures(client, 'good', smallScenes.slice(0, 1))),
    ...(await findCaptures(client, 'open', ['l8-stormlake-20200829'])),
  ]
  const orderResponse = await client.call('orders.archive.place', { captures })
  assert.equal(orderResponse.groups.length, 2)
  const order = await waitForOrder(client, orderResponse.id, 'FULFILLED')
  assert.equal(order.itemCount, 2)
  assert.equal(order.creditsCaptured, orderResponse.totalCredits)
})

test('a delayed order keeps its hold until delivery and cannot be cancelled', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const captures = await findCaptures(client, 'later', smallScenes.slice(0, 1))
  const orderResponse = await client.call('orders.archive.place', { captures })
  assert.equal(orderResponse.status, 'awaiting_data')
  await waitForOrder(client, orderResponse.id, 'PLACED')
  await waitForOrderTasks(app)
  assert.equal(delayedHost.countDeliveryPolls(), 1)
  assert.deepEqual(await getWalletBalance(client), {
    available: before.available - orderResponse.totalCredits,
    held: orderResponse.totalCredits,
  })

  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.cancel', { order_id: orderResponse.id }), (problem: ApiProblem) => {
      assert.equal(problem.status, 409)
      assert.equal(problem.problem, 'invalid-state')
      return true
    }),
  )
  await assert.rejects(client.call('projects.delete', { project_id: org.project }), /409/)

  // The host is polled when the order is due, not at every sweep.
  for (const [due_in, polls] of [
    ['1 hour', 1],
    ['-1 second', 2],
    ['-1 second', 3],
  ] as const) {
    await app.database.unscoped.query(sql`
      update orders set ask_at = now() + ${due_in}::interval where id = ${orderResponse.id}`)
    await enqueueOrderSweep(app)
    await waitForOrderTasks(app)
    assert.equal(delayedHost.countDeliveryPolls(), polls, due_in)
  }
  const order = await waitForOrder(client, orderResponse.id, 'FULFILLED')
  assert.equal(delayedHost.countDeliveryPolls(), 3)
  assert.equal(order.creditsCaptured, orderResponse.totalCredits)
  assert.equal((await getWalletBalance(client)).held, 0)
  await assert.rejects(client.call('orders.cancel', { order_id: orderResponse.id }), /409/)
  await assertLedgerConsistent(app)
})
