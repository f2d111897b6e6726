import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { createOrganizationClocks } from '../../src/platform/clock.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import {
  createFaultyHost,
  smallScenes,
  type FaultyHostBehaviour,
  type FaultyHost,
  type FileFault,
} from '../hosts/faulty-host.ts'
import {
  getEntityEvents,
  getWalletBalance,
  placeSceneOrder,
  waitForOrderTasks,
  enqueueOrderSweep,
  waitForOrder,
  type OrderJson,
} from '../orders.ts'
import { createTestOrganization, type TestUser } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

const [scene] = smallScenes

const hostBehaviours = {
  'refuses-the-order': { place: ['refuse'] },
  'takes-it-the-third-time': { place: ['fail', 'stall', 'accept'] },
  'never-takes-it': { place: ['fail'] },
  'stalls-for-ever': { place: ['stall'] },
  'withdraws-it': { deliveries: ['refuse'] },
  'delivers-the-third-time': { deliveries: ['fail', 'stall', 'ready'] },
  'never-delivers': { deliveries: ['waiting'], delivers_later: true },
  'sends-trouble-first': { files: { [scene]: ['truncated', 'altered', 'not-a-tiff', 'fail', 'whole'] } },
  'has-no-catalogue': { catalog: 'fail' },
  'has-a-slow-catalogue': { catalog: 'stall' },
} as const satisfies Record<string, FaultyHostBehaviour>
const permanentFaults: readonly FileFault[] = ['truncated', 'altered', 'not-a-tiff', 'fail']

const hosts = new Map<string, FaultyHost>()
for (const [name, behaviour] of Object.entries(hostBehaviours)) hosts.set(name, await createFaultyHost(name, behaviour))
for (const fault of permanentFaults) hosts.set(fault, await createFaultyHost(fault, { files: { [scene]: [fault] } }))

let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })
let app: TestApp
let owner: TestUser
before(async () => {
  app = await startTestApp({
    background: immediateRetries,
    clock,
    hosts: [...hosts.values()],
    environment: { HOST_TIMEOUT_MS: '300' },
  })
  ;({ owner } = await createTestOrganization(app, 1_000_000))
})
after(() => app?.close())

const statusSequence = (order: OrderJson): string[] => order.statusHistory.map((change) => change.to)

/** Places an order that fails: nothing is captured, the hold is released, and the event has the reason. */
async function placeFailingOrder(host: string): Promise<OrderJson> {
  const before = await getWalletBalance(owner.client)
  const id = await placeSceneOrder(owner.client, host, [scene])
  const order = await waitForOrder(owner.client, id, 'FAILED_PERMANENTLY')
  assert.equal(order.creditsCaptured, 0)
  assert.equal(order.creditsRefunded, order.totalCredits)
  assert.equal(order.fulfillment, 'none')
  assert.equal(order.itemCount, 0)
  assert.deepEqual(await getWalletBalance(owner.client), before)
  const events = await getEntityEvents(owner.client, id)
  assert.deepEqual([events[0]?.event_type, events.at(-1)?.event_type], ['order.created', 'order.failed'])
  assert.deepEqual(events.at(-1)?.data, {
    fromStatus: order.statusHistory.at(-1)?.from,
    toStatus: 'FAILED_PERMANENTLY',
    creditsCaptured: 0,
    creditsRefunded: order.totalCredits,
    failureReason: order.failureReason?.text,
  })
  await waitForOrderTasks(app)
  await assertLedgerConsistent(app)
  await assert.rejects(owner.client.call('orders.cancel', { order_id: id }), { status: 409, problem: 'invalid-state' })
  return order
}

async function placeSucceedingOrder(host: string): Promise<OrderJson> {
  const id = await placeSceneOrder(owner.client, host, [scene])
  const order = await waitForOrder(owner.client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, order.totalCredits)
  assert.equal(order.itemCount, 1)
  assert.equal(order.failureReason, null)
  await assertLedgerConsistent(app)
  return order
}

test('an order that its host refuses fails at once with the reason of the host', async () => {
  const order = await placeFailingOrder('refuses-the-order')
  assert.deepEqual(order.failureReason, { code: 'host-refused', text: 'The scene is not for sale in your country.' })
  assert.deepEqual(statusSequence(order), ['CREATED', 'BEING_PLACED', 'PLACEMENT_FAILED', 'FAILED_PERMANENTLY'])
  assert.equal(hosts.get('refuses-the-order')?.placedOrderIds.length, 1)
})

test('a placement that fails or times out is retried with the same order id', async () => {
  const order = await placeSucceedingOrder('takes-it-the-third-time')
  const failedAttempt = ['BEING_PLACED', 'PLACEMENT_FAILED']
  assert.deepEqual(statusSequence(order), [
    'CREATED',
    ...failedAttempt,
    ...failedAttempt,
    'BEING_PLACED',
    'PLACED',
    'BEING_FULFILLED',
    'FULFILLED',
  ])
  assert.deepEqual(hosts.get('takes-it-the-third-time')?.placedOrderIds, [order.id, order.id, order.id])
})

test('an order whose placement always fails ends after the last attempt', async () => {
  const order = await placeFailingOrder('never-takes-it')
  assert.deepEqual(order.failureReason, { code: 'host-failed', text: 'The ordering service is unavailable.' })
  assert.equal(hosts.get('never-takes-it')?.placedOrderIds.length, 9)
  assert.equal(statusSequence(order).filter((step) => step === 'PLACEMENT_FAILED').length, 9)
})

test('an order whose host never responds fails with a timeout', async () => {
  const order = await placeFailingOrder('stalls-for-ever')
  assert.deepEqual(order.failureReason, { code: 'host-failed', text: 'The host did not respond within 0.3 s.' })
})

test('an order that its host withdraws after placement fails at once', async () => {
  const order = await placeFailingOrder('withdraws-it')
  assert.deepEqual(order.failureReason, { code: 'host-refused', text: 'The scene was withdrawn.' })
  assert.deepEqual(statusSequence(order), ['CREATED', 'BEING_PLACED', 'PLACED', 'FAILED_PERMANENTLY'])
})

test('a delivery that fails or times out is polled again', async () => {
  await placeSucceedingOrder('delivers-the-third-time')
  assert.equal(hosts.get('delivers-the-third-time')?.countDeliveryPolls(), 3)
})

test('an invalid file is fetched again and becomes one item when it is valid', async () => {
  await placeSucceedingOrder('sends-trouble-first')
  assert.equal(hosts.get('sends-trouble-first')?.countDeliveryPolls(), 5)
})

for (const fault of permanentFaults) {
  test(`an order whose file is always invalid (${fault}) fails after the last attempt`, async () => {
    const order = await placeFailingOrder(fault)
    assert.equal(order.failureReason?.code, 'delivery-failed')
    assert.match(order.failureReason.text, /bytes instead of|checksum|TIFF|broke off/)
    assert.equal(hosts.get(fault)?.countDeliveryPolls(), 6)
  })
}

test('a catalogue that fails or times out returns upstream and reveals no network details', async () => {
  for (const host_name of ['has-no-catalogue', 'has-a-slow-catalogue']) {
    for (const [operation, input] of [
      ['catalog.search', { host_name }],
      ['catalog.image.quicklook', { host_name, image_id: scene }],
      ['orders.archive.estimate', { captures: [{ id: scene, host: host_name, geometry: {} }] }],
      ['catalog.search_stream', { host_name }],
    ] as const) {
      await assert.rejects(owner.client.call<unknown>(operation, input), (problem: ApiProblem) => {
        assert.equal(problem.problem, 'upstream', operation)
        assert.doesNotMatch(JSON.stringify(problem.document), /internal|8443/)
        return true
      })
    }
  }
})

test('an order that is not delivered within 24 hours fails', async () => {
  const before = await getWalletBalance(owner.client)
  const id = await placeSceneOrder(owner.client, 'never-delivers', [scene])
  await waitForOrder(owner.client, id, 'PLACED')
  await waitForOrderTasks(app)
  clock_offset_ms = 23 * hour_ms
  const client = app.createClientFor(owner.email, owner.password)
  await enqueueOrderSweep(app)
  await waitForOrderTasks(app)
  assert.equal((await client.call('orders.get', { order_id: id })).status, 'PLACED')
  clock_offset_ms = 25 * hour_ms
  await enqueueOrderSweep(app)
  const laterClient = app.createClientFor(owner.email, owner.password)
  const order = await waitForOrder(laterClient, id, 'FAILED_PERMANENTLY')
  assert.equal(order.failureReason?.code, 'host-timeout')
  assert.deepEqual(await getWalletBalance(laterClient), before)
  await assertLedgerConsistent(app)
})
