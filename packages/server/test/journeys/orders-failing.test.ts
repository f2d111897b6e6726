import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { openClocks } from '../../src/platform/clock.ts'
import { assertBooks } from '../books.ts'
import { faultyHost, smallScenes, type Behaviour, type FaultyHost, type FileFault } from '../hosts/faulty-host.ts'
import { eventsOf, moneyOf, placeScenes, quiet, sweepNow, waitForOrder, type ReadOrder } from '../orders.ts'
import { makeOrganization, type Person } from '../people.ts'
import { bootHouse, hurried, type TestHouse } from '../setup.ts'

const [scene] = smallScenes
const hour_ms = 3_600_000

const behaviours = {
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
} as const satisfies Record<string, Behaviour>
const broken: readonly FileFault[] = ['truncated', 'altered', 'not-a-tiff', 'fail']

const hosts = new Map<string, FaultyHost>()
for (const [name, behaviour] of Object.entries(behaviours)) hosts.set(name, await faultyHost(name, behaviour))
for (const fault of broken) hosts.set(fault, await faultyHost(fault, { files: { [scene]: [fault] } }))

let ahead_ms = 0
const clock = openClocks({ now: () => new Date(Date.now() + ahead_ms) })
let house: TestHouse
let owner: Person
before(async () => {
  house = await bootHouse({
    background: hurried,
    clock,
    hosts: [...hosts.values()],
    environment: { HOST_TIMEOUT_MS: '300' },
  })
  ;({ owner } = await makeOrganization(house, 1_000_000))
})
after(() => house?.close())

const stepsOf = (order: ReadOrder): string[] => order.statusHistory.map((change) => change.to)

/** Places an order that fails: nothing is captured, the hold is released, and the event has the reason. */
async function buyInVain(host: string): Promise<ReadOrder> {
  const before = await moneyOf(owner.client)
  const id = await placeScenes(owner.client, host, [scene])
  const order = await waitForOrder(owner.client, id, 'FAILED_PERMANENTLY')
  assert.equal(order.creditsCaptured, 0)
  assert.equal(order.creditsRefunded, order.totalCredits)
  assert.equal(order.fulfillment, 'none')
  assert.equal(order.itemCount, 0)
  assert.deepEqual(await moneyOf(owner.client), before)
  const events = await eventsOf(owner.client, id)
  assert.deepEqual([events[0]?.event_type, events.at(-1)?.event_type], ['order.created', 'order.failed'])
  assert.deepEqual(events.at(-1)?.data, {
    fromStatus: order.statusHistory.at(-1)?.from,
    toStatus: 'FAILED_PERMANENTLY',
    creditsCaptured: 0,
    creditsRefunded: order.totalCredits,
    failureReason: order.failureReason?.text,
  })
  await quiet(house)
  await assertBooks(house)
  await assert.rejects(owner.client.call('orders.cancel', { order_id: id }), { status: 409, problem: 'invalid-state' })
  return order
}

async function buyAtLast(host: string): Promise<ReadOrder> {
  const id = await placeScenes(owner.client, host, [scene])
  const order = await waitForOrder(owner.client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, order.totalCredits)
  assert.equal(order.itemCount, 1)
  assert.equal(order.failureReason, null)
  await assertBooks(house)
  return order
}

test('an order that its host refuses fails at once with the reason of the host', async () => {
  const order = await buyInVain('refuses-the-order')
  assert.deepEqual(order.failureReason, { code: 'host-refused', text: 'The scene is not for sale in your country.' })
  assert.deepEqual(stepsOf(order), ['CREATED', 'BEING_PLACED', 'PLACEMENT_FAILED', 'FAILED_PERMANENTLY'])
  assert.equal(hosts.get('refuses-the-order')?.asked.length, 1)
})

test('a placement that fails or times out is retried with the same order id', async () => {
  const order = await buyAtLast('takes-it-the-third-time')
  const failed = ['BEING_PLACED', 'PLACEMENT_FAILED']
  assert.deepEqual(stepsOf(order), [
    'CREATED',
    ...failed,
    ...failed,
    'BEING_PLACED',
    'PLACED',
    'BEING_FULFILLED',
    'FULFILLED',
  ])
  assert.deepEqual(hosts.get('takes-it-the-third-time')?.asked, [order.id, order.id, order.id])
})

test('an order whose placement always fails ends after the last attempt', async () => {
  const order = await buyInVain('never-takes-it')
  assert.deepEqual(order.failureReason, { code: 'host-failed', text: 'The ordering service is unavailable.' })
  assert.equal(hosts.get('never-takes-it')?.asked.length, 9)
  assert.equal(stepsOf(order).filter((step) => step === 'PLACEMENT_FAILED').length, 9)
})

test('an order whose host never responds fails with a timeout', async () => {
  const order = await buyInVain('stalls-for-ever')
  assert.deepEqual(order.failureReason, { code: 'host-failed', text: 'The host did not respond within 0.3 s.' })
})

test('an order that its host withdraws after placement fails at once', async () => {
  const order = await buyInVain('withdraws-it')
  assert.deepEqual(order.failureReason, { code: 'host-refused', text: 'The scene was withdrawn.' })
  assert.deepEqual(stepsOf(order), ['CREATED', 'BEING_PLACED', 'PLACED', 'FAILED_PERMANENTLY'])
})

test('a delivery that fails or times out is polled again', async () => {
  await buyAtLast('delivers-the-third-time')
  assert.equal(hosts.get('delivers-the-third-time')?.polls(), 3)
})

test('an invalid file is fetched again and becomes one item when it is valid', async () => {
  await buyAtLast('sends-trouble-first')
  assert.equal(hosts.get('sends-trouble-first')?.polls(), 5)
})

for (const fault of broken) {
  test(`an order whose file is always invalid (${fault}) fails after the last attempt`, async () => {
    const order = await buyInVain(fault)
    assert.equal(order.failureReason?.code, 'delivery-failed')
    assert.match(order.failureReason.text, /bytes instead of|checksum|TIFF|broke off/)
    assert.equal(hosts.get(fault)?.polls(), 6)
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
  const before = await moneyOf(owner.client)
  const id = await placeScenes(owner.client, 'never-delivers', [scene])
  await waitForOrder(owner.client, id, 'PLACED')
  await quiet(house)
  ahead_ms = 23 * hour_ms
  const client = house.signedIn(owner.email, owner.password)
  await sweepNow(house)
  await quiet(house)
  assert.equal((await client.call('orders.get', { order_id: id })).status, 'PLACED')
  ahead_ms = 25 * hour_ms
  await sweepNow(house)
  const again = house.signedIn(owner.email, owner.password)
  const order = await waitForOrder(again, id, 'FAILED_PERMANENTLY')
  assert.equal(order.failureReason?.code, 'host-timeout')
  assert.deepEqual(await moneyOf(again), before)
  await assertBooks(house)
})
