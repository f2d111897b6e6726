import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBooks, digestOf, unchanged } from '../books.ts'
import { faultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { capturesOf, eventsOf, moneyOf, placeScenes, quiet, waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

const [scene] = smallScenes
const deaf = await faultyHost('deaf', { place: ['deaf'] })
let house: TestHouse
let made: TestOrganization
before(async () => {
  house = await bootHouse({
    hosts: [deaf, await faultyHost('failing', { place: ['fail'] }), await faultyHost('good')],
    // The retry delay leaves time to cancel.
    background: { poll_s: 0.1, retry: (declared) => ({ ...declared, delay_s: 600 }) },
    // Long enough to digest the whole database before the host times out.
    environment: { HOST_TIMEOUT_MS: '5000' },
  })
  made = await makeOrganization(house, 1_000_000)
})
after(() => house?.close())

test('an order whose host hangs can be cancelled, and a late response of the host changes nothing', async () => {
  const { client } = made.owner
  const before = await moneyOf(client)
  const id = await placeScenes(client, 'deaf', [scene])
  await waitForOrder(client, id, 'BEING_PLACED')
  await unchanged(house, () => assert.rejects(client.call('orders.cancel', { order_id: id }), { status: 409 }))
  const failed = await waitForOrder(client, id, 'PLACEMENT_FAILED')
  assert.deepEqual(await moneyOf(client), {
    available: before.available - failed.totalCredits,
    held: failed.totalCredits,
  })

  assert.deepEqual(await client.call('orders.cancel', { order_id: id }), { orderId: id, status: 'CANCELED' })
  const order = await client.call('orders.get', { order_id: id })
  assert.equal(order.creditsCaptured, 0)
  assert.equal(order.creditsRefunded, order.totalCredits)
  assert.equal(order.fulfillment, 'none')
  assert.deepEqual(await moneyOf(client), before)
  const events = await eventsOf(client, id)
  assert.deepEqual(
    events.map((event) => event.event_type),
    ['order.created', 'order.cancelled'],
  )
  assert.equal(events[1]!.data['creditsRefunded'], order.totalCredits)

  const digest = await digestOf(house)
  deaf.wakeUp()
  // A later attempt finds the order cancelled and does nothing.
  await house.database.across.transaction((tx) =>
    house.queue.enqueue(tx, 'orders.place-with-host', { organization_id: made.organization, order_id: id }),
  )
  await house.database.across.transaction((tx) =>
    house.queue.enqueue(tx, 'orders.fulfil', { organization_id: made.organization, order_id: id }),
  )
  await quiet(house)
  assert.equal(deaf.asked.length, 1)
  assert.deepEqual({ ...(await digestOf(house)), tasks: '' }, { ...digest, tasks: '' })
  await assert.rejects(client.call('orders.cancel', { order_id: id }), { status: 409, problem: 'invalid-state' })
  await assertBooks(house)
})

test('a cancellation repeated with its key is replayed', async () => {
  const { client } = made.owner
  const id = await placeScenes(client, 'failing', [scene])
  await waitForOrder(client, id, 'PLACEMENT_FAILED')
  const cancel = (): Promise<Response> =>
    client.fetch('/v1/op/orders.cancel', {
      method: 'POST',
      body: JSON.stringify({ order_id: id }),
      headers: { 'idempotency-key': `cancel ${id}` },
    })
  const first = await cancel()
  assert.equal(first.status, 200)
  const text = await first.text()
  const again = await unchanged(house, cancel)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(await again.text(), text)
  await assertBooks(house)
})

test('parallel cancellations release the hold once', async () => {
  const { client } = made.owner
  const before = await moneyOf(client)
  const id = await placeScenes(client, 'failing', [scene])
  await waitForOrder(client, id, 'PLACEMENT_FAILED')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => client.call('orders.cancel', { order_id: id })),
  )
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
  assert.deepEqual(await moneyOf(client), before)
  await assertBooks(house)
})

test('a viewer may neither place nor cancel an order', async () => {
  const viewer = await made.join('member')
  await made.owner.client.call('projects.add_member', {
    project_id: made.project,
    user_id: viewer.user,
    role: 'viewer',
  })
  const id = await placeScenes(made.owner.client, 'failing', [scene])
  await waitForOrder(made.owner.client, id, 'PLACEMENT_FAILED')
  await unchanged(house, async () => {
    assert.equal((await viewer.client.call('orders.get', { order_id: id })).status, 'PLACEMENT_FAILED')
    await assert.rejects(viewer.client.call('orders.cancel', { order_id: id }), {
      status: 403,
      problem: 'not-a-member',
    })
    const captures = await capturesOf(viewer.client, 'good', [scene])
    const wish = { captures, projectId: made.project }
    await assert.rejects(viewer.client.call('orders.archive.place', wish), { status: 403, problem: 'not-a-member' })
  })
})
