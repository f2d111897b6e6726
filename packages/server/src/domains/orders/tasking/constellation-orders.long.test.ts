import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { square } from '../../../../test/geometries.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { advanceOrders, waitForOrderTasks } from '../../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization } from '../../../../test/test-organizations.ts'
import { createManualClock } from '../../../platform/clock.ts'

const start = new Date('2030-06-01T00:00:00Z')
const clock = createManualClock(new Date())
let app: TestApp
before(async () => {
  app = await startTestApp({ clock, background: immediateRetries })
})
after(() => app?.close())

test('a pass of the simulated constellation is bought and delivered', async () => {
  const { organization, project, owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner
  clock.advance(start.getTime() - clock.now().getTime(), organization)
  const geometry = square(10, 50, 0.1)
  const params = { acquisitionStart: '2030-06-02T00:00:00Z', acquisitionEnd: '2030-06-12T00:00:00Z' }
  const dataProduct = 'constellation:tasking-10m'
  const { opportunities } = await client.call('orders.tasking.opportunities_list', {
    dataProduct,
    featureCollection: { type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties: {} }] },
    params,
  } as never)
  const pass = opportunities.find(({ conflict, coverage }) => conflict === null && coverage === 1)
  assert.ok(pass && pass.sunElevation! > 0)
  const { id: order_id, totalCredits } = await client.call<{ id: string; totalCredits: number }>(
    'orders.tasking.place',
    {
      workspaceId: project,
      dataProduct,
      groups: [{ geometry }],
      params: { ...params, opportunityId: pass.id, maxCloudCover: 100 },
    },
  )
  assert.equal(totalCredits, pass.creditsPrice)
  await waitForOrderTasks(app)
  let order = await client.call('orders.get', { order_id })
  for (let hours = 0; hours < 15 * 24 && order.status !== 'FULFILLED'; hours += 6) {
    assert.ok(['PLACED', 'BEING_FULFILLED'].includes(order.status), JSON.stringify(order.failureReason))
    await advanceOrders(app, clock, organization, 6)
    order = await client.call('orders.get', { order_id })
  }
  assert.deepEqual([order.status, order.creditsCaptured, order.itemCount], ['FULFILLED', totalCredits, 1])
  const { features } = await client.call('orders.list_assets', { order_id })
  assert.equal(features[0]?.properties.datetime?.slice(0, 13), pass.acquisitionStart.slice(0, 13))
  await assertLedgerConsistent(app)
})

test('a product of the glossary is ordered by its id with the parameters of its schema', async () => {
  const { project, owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner
  const { data_product } = await client.call('glossary.data_products.get', {
    data_product_name: 'constellation:tasking-30cm',
  })
  const { schema, cancel_policy } = await client.call('orders.get_schema', { data_product_id: data_product.id })
  assert.deepEqual(cancel_policy, { cancellable_until: 'SCHEDULED-24h', fee_pct: 0 })
  assert.ok('replan' in (schema as { properties: object }).properties)
  const group = { geometry: square(10, 50, 0.1), dataProduct: data_product.id }
  const { groups, errors } = await client.call<{ groups: unknown[]; errors: unknown[] }>('orders.tasking.estimate', {
    groups: [group],
  })
  assert.deepEqual([groups.length, errors], [1, []])
  const placed = await client.call<{ id: string }>('orders.tasking.place', { workspaceId: project, groups: [group] })
  assert.equal((await client.call('orders.get', { order_id: placed.id })).orderType, 'tasking')
})
