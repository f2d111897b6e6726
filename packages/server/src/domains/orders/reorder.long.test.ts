import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { updateBillingPlan } from '../../../test/billing-helpers.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { assertLedgerConsistent, assertUnchanged } from '../../../test/ledger-assertions.ts'
import {
  findCaptures,
  getWalletBalance,
  placeSceneOrder,
  waitForOrder,
  waitForOrderTasks,
} from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { sql } from '../../platform/database/sql.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

const [first, second] = smallScenes
let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp({
    hosts: [
      await createFaultyHost('good'),
      await createFaultyHost('later', { delivers_later: true, deliveries: ['waiting'] }),
      await createFaultyHost('refusing', { place: ['refuse'] }),
    ],
    background: { poll_s: 0.1, retry: (declared) => ({ ...declared, delay_s: 600 }) },
  })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

test('the captures, licence and project of an earlier order are ordered once more at the prices of now', async () => {
  const { client } = org.owner
  const captures = await findCaptures(client, 'good', [first, second])
  const { id } = await client.call('orders.archive.place', { captures, licenseType: 'extended', splitByDate: true })
  const earlier = await waitForOrder(client, id, 'FULFILLED')
  const before = await getWalletBalance(client)
  const again = await client.call('orders.reorder', { order_id: id })
  assert.notEqual(again.id, id)
  assert.equal(again.totalCredits, earlier.totalCredits)
  await waitForOrder(client, again.id, 'FULFILLED')
  const order = await client.call('orders.get', { order_id: again.id })
  assert.deepEqual(
    order.captures.map((capture) => [capture.id, capture.geometry]),
    captures.map((capture) => [capture.id, capture.geometry]),
  )
  assert.equal(order.licenseType, 'extended')
  assert.equal(order.projectId, org.project)
  assert.deepEqual(
    order.groups.map(({ date }) => typeof date),
    again.groups.map(() => 'string'),
  )
  assert.equal((await getWalletBalance(client)).available, before.available - again.totalCredits)
  await assertLedgerConsistent(app)
})

test('a dry run of it writes nothing, and a cap below its price refuses it', async () => {
  const { client } = org.owner
  // A final order: one that waits for its host is changed by each poll.
  const order_id = await placeSceneOrder(client, 'good', [first])
  await waitForOrder(client, order_id, 'FULFILLED')
  await waitForOrderTasks(app)
  const { organization } = org
  const { dry_run, totalCredits } = await assertUnchanged(
    app,
    () => client.call('orders.reorder', { order_id, dry_run: true }),
    { organization },
  )
  assert.deepEqual(
    dry_run?.entries.map(({ kind, amount_credits }) => [kind, amount_credits]),
    [['hold', -totalCredits]],
  )
  const dear = { order_id, max_credits: totalCredits - 1 }
  await assertUnchanged(
    app,
    () => assert.rejects(client.call('orders.reorder', dear), { problem: 'spend-limit-exceeded' }),
    { organization },
  )
})

test('it is refused as any order is: with too few credits, and in a suspended organization', async () => {
  const { total_credits } = await org.owner.client.call('orders.archive.estimate', {
    captures: await findCaptures(org.owner.client, 'good', [first]),
  })
  const poor = await createTestOrganization(app, total_credits)
  const { organization, owner } = poor
  await updateBillingPlan(app, organization, 'prepaid')
  const { client } = owner
  const order_id = await placeSceneOrder(client, 'good', [first])
  await waitForOrder(client, order_id, 'FULFILLED')
  await waitForOrderTasks(app)
  const refuse = (problem: string) =>
    assertUnchanged(app, () => assert.rejects(client.call('orders.reorder', { order_id }), { status: 402, problem }), {
      organization,
    })
  await refuse('insufficient-credits')
  await app.database.unscoped.query(
    sql`update organizations set status = 'suspended' where organization_id = ${organization}`,
  )
  await refuse('past-due')
})

test('the timeline has every status with its reason and every delivery, and says who has to act next', async () => {
  const { client } = org.owner
  const delivered = await placeSceneOrder(client, 'good', [first, second])
  await waitForOrder(client, delivered, 'FULFILLED')
  const { entries, next } = await client.call('orders.timeline', { order_id: delivered })
  assert.equal(next, null)
  assert.deepEqual(
    entries.filter(({ kind }) => kind === 'status').map(({ status, stapi_status }) => [status, stapi_status]),
    [
      ['CREATED', 'received'],
      ['BEING_PLACED', 'received'],
      ['PLACED', 'accepted'],
      ['BEING_FULFILLED', 'processing'],
      ['FULFILLED', 'completed'],
    ],
  )
  const deliveries = entries.filter(({ kind }) => kind === 'delivery')
  assert.deepEqual(deliveries.map(({ capture_id }) => capture_id).toSorted(), [first, second].toSorted())
  assert.deepEqual(
    entries.map(({ at }) => at),
    entries.map(({ at }) => at).toSorted(),
  )
  assert.ok(
    deliveries.every(({ status, stapi_status }) => status === 'BEING_FULFILLED' && stapi_status === 'processing'),
  )
  const firstDelivery = entries.findIndex(({ kind }) => kind === 'delivery')
  assert.ok(firstDelivery > entries.findIndex(({ status }) => status === 'BEING_FULFILLED'))

  const waiting = await placeSceneOrder(client, 'later', [first])
  await waitForOrder(client, waiting, 'PLACED')
  const open = await client.call('orders.timeline', { order_id: waiting })
  assert.deepEqual([open.next?.actor, open.next?.host_names], ['host', ['later']])
})

test('the timeline of a refused order ends with the reason of the host', async () => {
  const { client } = org.owner
  const order_id = await placeSceneOrder(client, 'refusing', [first])
  await waitForOrder(client, order_id, 'FAILED_PERMANENTLY')
  const { entries, next } = await client.call('orders.timeline', { order_id })
  const { status, stapi_status, reason_code, reason_text } = entries.at(-1)!
  assert.deepEqual([status, stapi_status, reason_code], ['FAILED_PERMANENTLY', 'rejected', 'host-refused'])
  assert.match(reason_text ?? '', /not for sale/)
  assert.equal(next, null)
})
