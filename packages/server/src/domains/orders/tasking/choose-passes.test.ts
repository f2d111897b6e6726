import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createManualClock } from '../../../platform/clock.ts'
import { createTaskingHost, rate_credits } from '../../../../test/hosts/tasking-host.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { getWalletBalance, waitForOrder } from '../../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'

const part = 0.25

/** A host whose soonest pass reaches a quarter of the area, and the others all of it. */
async function createPartialHost(name: string) {
  const host = await createTaskingHost(name)
  const opportunities: typeof host.tasking.opportunities = async (...request) =>
    (await host.tasking.opportunities(...request)).map((pass, index) => ({ ...pass, coverage: index === 0 ? part : 1 }))
  return { ...host, tasking: { ...host.tasking, opportunities } }
}

let app: TestApp
let org: TestOrganization
/** 123 square kilometres. */
const area = { type: 'Polygon', coordinates: [[[10, 0], [10.1, 0], [10.1, 0.1], [10, 0.1], [10, 0]]] } // prettier-ignore
before(async () => {
  // Passes begin every twelve hours: none begins between the list of them and the order.
  const clock = createManualClock(new Date('2026-03-01T09:30:00Z'))
  app = await startTestApp({ hosts: [await createPartialHost('sky')], clock, background: immediateRetries })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

const groupsOf = (opportunityId?: string) => [
  { geometry: area, dataProduct: 'sky:direct', params: opportunityId ? { opportunityId } : {} },
]

async function listPasses() {
  const { opportunities } = await org.owner.client.call('orders.tasking.opportunities_list', {
    dataProduct: 'sky:direct',
    featureCollection: { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: area, properties: {} }] },
  } as never)
  return opportunities
}

test('a pass that reaches a part of the area has the price of that part, which is estimated, locked, held and charged', async () => {
  const { client } = org.owner
  const [partial, whole] = await listPasses()
  assert.deepEqual([partial!.coverage, whole!.coverage], [part, 1])
  assert.ok(Math.abs(partial!.creditsPrice! / (whole!.creditsPrice! * part) - 1) < 0.02)
  assert.ok(partial!.creditsPrice! >= rate_credits)
  const groups = groupsOf(partial!.id)
  const estimate = await client.call('orders.tasking.estimate', { groups } as never)
  const quote = await client.call('orders.quote', { groups } as never)
  assert.deepEqual([estimate.totalCredits, quote.total_credits], [partial!.creditsPrice, partial!.creditsPrice])
  const before = await getWalletBalance(client)
  const placed = await client.call('orders.tasking.place', { groups, displayName: 'A part' } as never)
  assert.equal(placed.totalCredits, partial!.creditsPrice)
  assert.equal((await getWalletBalance(client)).held - before.held, partial!.creditsPrice)
  const quoted = await client.call('orders.tasking.place', { quote_id: quote.quote_id, displayName: 'Quoted' } as never)
  assert.equal(quoted.totalCredits, partial!.creditsPrice)
  await assertLedgerConsistent(app)
})

test('without a choice the pass is taken that reaches most of the area, at its price', async () => {
  const { client } = org.owner
  const [, whole] = await listPasses()
  const estimate = await client.call('orders.tasking.estimate', { groups: groupsOf() } as never)
  const placed = await client.call('orders.tasking.place', { groups: groupsOf(), displayName: 'All' } as never)
  assert.deepEqual([estimate.totalCredits, placed.totalCredits], [whole!.creditsPrice, whole!.creditsPrice])
  const order = await client.call('orders.get', { order_id: placed.id })
  assert.equal(order.tasking?.passes[0]?.at, whole!.acquisitionStart)
})

test('an order that waits for its satellite covers nothing yet of its whole area, and names its passes', async () => {
  const { client } = org.owner
  const { id } = await client.call('orders.tasking.place', { groups: groupsOf(), displayName: 'Waits' } as never)
  await waitForOrder(client, id, 'PLACED')
  const { covered, remainder } = await client.call('orders.coverage.get', { order_id: id })
  assert.deepEqual([covered.sqKmArea, covered.percentage, remainder.percentage], [0, 0, 100])
  assert.ok(remainder.sqKmArea > 0 && remainder.geometry !== null)
  const { tasking } = await client.call('orders.get', { order_id: id })
  assert.equal(tasking?.passes.length, 1)
  assert.deepEqual([tasking.passes[0]!.area, tasking.passes[0]!.accepted], [1, null])
})
