import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { square } from '../../../../test/geometries.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { enqueueOrderSweep, waitForOrderTasks } from '../../../../test/orders.ts'
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
    clock.advance(6 * 3_600_000, organization)
    await enqueueOrderSweep(app)
    await waitForOrderTasks(app)
    order = await client.call('orders.get', { order_id })
  }
  assert.deepEqual([order.status, order.creditsCaptured, order.itemCount], ['FULFILLED', totalCredits, 1])
  const { features } = await client.call('orders.list_assets', { order_id })
  assert.equal(features[0]?.properties.datetime?.slice(0, 13), pass.acquisitionStart.slice(0, 13))
  await assertLedgerConsistent(app)
})
