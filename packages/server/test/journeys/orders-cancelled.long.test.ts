import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertLedgerConsistent, digestDatabase, assertUnchanged } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import {
  findCaptures,
  getEntityEvents,
  getWalletBalance,
  placeSceneOrder,
  waitForOrderTasks,
  waitForOrder,
} from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

const [scene] = smallScenes
const hangingHost = await createFaultyHost('deaf', { place: ['deaf'] })
let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp({
    hosts: [hangingHost, await createFaultyHost('failing', { place: ['fail'] }), await createFaultyHost('good')],
    // The retry delay leaves time to cancel.
    background: { poll_s: 0.1, retry: (declared) => ({ ...declared, delay_s: 600 }) },
    // Long enough to digest the whole database before the host times out.
    environment: { HOST_TIMEOUT_MS: '5000' },
  })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

test('an order whose host hangs can be cancelled, and a late response of the host changes nothing', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const id = await placeSceneOrder(client, 'deaf', [scene])
  await waitForOrder(client, id, 'BEING_PLACED')
  await assertUnchanged(app, () => assert.rejects(client.call('orders.cancel', { order_id: id }), { status: 409 }))
  const failed = await waitForOrder(client, id, 'PLACEMENT_FAILED')
  assert.deepEqual(await getWalletBalance(client), {
    available: before.available - failed.totalCredits,
    held: failed.totalCredits,
  })

  assert.deepEqual(await client.call('orders.cancel', { order_id: id }), { orderId: id, status: 'CANCELED' })
  const order = await client.call('orders.get', { order_id: id })
  assert.equal(order.creditsCaptured, 0)
  assert.equal(order.creditsRefunded, order.totalCredits)
  assert.equal(order.fulfillment, 'none')
  assert.deepEqual(await getWalletBalance(client), before)
  const events = await getEntityEvents(client, id)
  assert.deepEqual(
    events.map((event) => event.event_type),
    ['order.created', 'order.cancelled'],
  )
  assert.equal(events[1]!.data['creditsRefunded'], order.totalCredits)

  const digest = await digestDatabase(app)
  hangingHost.releaseHangingPlacements()
  // A later attempt finds the order cancelled and does nothing.
  await app.database.unscoped.transaction((tx) =>
    app.queue.enqueue(tx, backgroundTaskTypes.placeWithHost, { organization_id: org.organization, order_id: id }),
  )
  await app.database.unscoped.transaction((tx) =>
    app.queue.enqueue(tx, backgroundTaskTypes.fulfilOrder, { organization_id: org.organization, order_id: id }),
  )
  await waitForOrderTasks(app)
  assert.equal(hangingHost.placedOrderIds.length, 1)
  assert.deepEqual({ ...(await digestDatabase(app)), tasks: '' }, { ...digest, tasks: '' })
  await assert.rejects(client.call('orders.cancel', { order_id: id }), { status: 409, problem: 'invalid-state' })
  await assertLedgerConsistent(app)
})

test('a cancellation repeated with its key is replayed', async () => {
  const { client } = org.owner
  const id = await placeSceneOrder(client, 'failing', [scene])
  await waitForOrder(client, id, 'PLACEMENT_FAILED')
  const cancelOrder = (): Promise<Response> =>
    client.fetch('/v1/op/orders.cancel', {
      method: 'POST',
      body: JSON.stringify({ order_id: id }),
      headers: { 'idempotency-key': `cancel ${id}` },
    })
  const firstResponse = await cancelOrder()
  assert.equal(firstResponse.status, 200)
  const text = await firstResponse.text()
  const replayed = await assertUnchanged(app, cancelOrder)
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
  assert.equal(await replayed.text(), text)
  await assertLedgerConsistent(app)
})

test('parallel cancellations release the hold once', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const id = await placeSceneOrder(client, 'failing', [scene])
  await waitForOrder(client, id, 'PLACEMENT_FAILED')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => client.call('orders.cancel', { order_id: id })),
  )
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
  assert.deepEqual(await getWalletBalance(client), before)
  await assertLedgerConsistent(app)
})

test('a viewer may neither place nor cancel an order', async () => {
  const viewer = await org.addMember('member')
  await org.owner.client.call('projects.add_member', {
    project_id: org.project,
    user_id: viewer.user,
    role: 'viewer',
  })
  const id = await placeSceneOrder(org.owner.client, 'failing', [scene])
  await waitForOrder(org.owner.client, id, 'PLACEMENT_FAILED')
  await assertUnchanged(app, async () => {
    assert.equal((await viewer.client.call('orders.get', { order_id: id })).status, 'PLACEMENT_FAILED')
    await assert.rejects(viewer.client.call('orders.cancel', { order_id: id }), {
      status: 403,
      problem: 'not-a-member',
    })
    const captures = await findCaptures(viewer.client, 'good', [scene])
    const input = { captures, projectId: org.project }
    await assert.rejects(viewer.client.call('orders.archive.place', input), { status: 403, problem: 'not-a-member' })
  })
})
