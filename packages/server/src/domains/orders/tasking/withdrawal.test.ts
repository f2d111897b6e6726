import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { createFaultyHost, smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { createTaskingHost, type TestTaskingHost } from '../../../../test/hosts/tasking-host.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import {
  findCaptures,
  getEntityEvents,
  getWalletBalance,
  placeSceneOrder,
  waitForOrder,
  waitForOrderTasks,
} from '../../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'

const [scene] = smallScenes
const waiting = { delivers_later: true, deliveries: ['waiting'] as const }
const archive = await createFaultyHost('archive', { ...waiting, cancel: ['accept'] })
const busy = await createFaultyHost('busy', { ...waiting, cancel: ['fail', 'refuse'] })
const slow = await createFaultyHost('slow', { ...waiting, place: ['deaf'], cancel: ['accept'] })

/** A host of tasking that answers a placement only when the test lets it. */
async function createHesitantHost() {
  const host: TestTaskingHost = await createTaskingHost('sky')
  const pending: (() => void)[] = []
  const placeTask: TestTaskingHost['tasking']['placeTask'] = async (...request) => {
    await new Promise<void>((resolve) => pending.push(resolve))
    return host.tasking.placeTask(...request)
  }
  return { ...host, tasking: { ...host.tasking, placeTask }, pending }
}

const sky = await createHesitantHost()
let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp({ hosts: [archive, busy, slow, sky], background: immediateRetries })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

/** Stops an order as the end of its payment does. */
const stopOrder = (id: string): Promise<void> =>
  app.database.unscoped.transaction((tx) =>
    app.queue.enqueue(tx, backgroundTaskTypes.stopOrder, {
      organization_id: org.organization,
      entity_type: 'order',
      entity_id: id,
    }),
  )

async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600 && !isTrue(); attempt++) await pause(50)
  assert.ok(isTrue())
}

/** The order failed without a charge, once. */
async function assertStopped(id: string): Promise<void> {
  const order = await waitForOrder(org.owner.client, id, 'FAILED_PERMANENTLY')
  assert.deepEqual([order.creditsCaptured, order.failureReason?.code], [0, 'payment-ended'])
  const kinds = (await getEntityEvents(org.owner.client, id)).map(({ event_type }) => event_type)
  assert.equal(kinds.filter((kind) => kind === 'order.failed').length, 1)
}

test('an archive order that is stopped is withdrawn at its host', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const id = await placeSceneOrder(client, 'archive', [scene])
  await waitForOrder(client, id, 'PLACED')
  await stopOrder(id)
  await assertStopped(id)
  await waitForOrderTasks(app)
  assert.equal(archive.canceledReferences.length, 1)
  assert.match(archive.canceledReferences[0]!, new RegExp(id))
  assert.deepEqual(await getWalletBalance(client), before)
  await assertLedgerConsistent(app)
})

test('a withdrawal is tried again after a failure of the host, and ends when the host refuses', async () => {
  const { client } = org.owner
  const id = await placeSceneOrder(client, 'busy', [scene])
  await waitForOrder(client, id, 'PLACED')
  await stopOrder(id)
  await assertStopped(id)
  await waitUntil(() => busy.canceledReferences.length === 2)
  await waitForOrderTasks(app)
  assert.equal(new Set(busy.canceledReferences).size, 1)
  await assertLedgerConsistent(app)
})

test('an archive order that is stopped while its host accepts it is withdrawn afterwards', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const id = await placeSceneOrder(client, 'slow', [scene])
  await waitUntil(() => slow.placedOrderIds.includes(id))
  await stopOrder(id)
  await assertStopped(id)
  slow.releaseHangingPlacements()
  await waitUntil(() => slow.canceledReferences.length > 0)
  await waitForOrderTasks(app)
  assert.ok(slow.canceledReferences.every((reference) => reference.includes(id)))
  await assertStopped(id)
  assert.deepEqual(await getWalletBalance(client), before)
  await assertLedgerConsistent(app)
})

test('a tasking order that is stopped while its host accepts the task is taken back from it', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const [capture] = await findCaptures(client, 'sky', [scene])
  const { id } = await client.call('orders.tasking.place', {
    dataProduct: 'sky:direct',
    groups: [{ geometry: capture!.geometry }],
  } as never)
  await waitUntil(() => sky.pending.length > 0)
  await stopOrder(id)
  await assertStopped(id)
  for (const answer of sky.pending.splice(0)) answer()
  await waitUntil(() => sky.cancelledReferences.length > 0)
  await waitForOrderTasks(app)
  assert.deepEqual([...new Set(sky.cancelledReferences)], [...new Set(sky.placedTaskIds)])
  await assertStopped(id)
  assert.deepEqual(await getWalletBalance(client), before)
  await assertLedgerConsistent(app)
})
