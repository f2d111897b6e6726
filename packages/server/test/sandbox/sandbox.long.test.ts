import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { findCaptures, placeSceneOrder, type OrderJson } from '../orders.ts'
import { advanceSandbox, createTestSandbox, listSandboxEvents, readOrder, type TestSandbox } from './sandboxes.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization } from '../test-organizations.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ environment: { SWATH_DEMO: 'on' } })
})
after(() => app?.close())

const scene = 'naip-va-18n'
const hour_s = 3600
const day_s = 24 * hour_s

const eventTypes = async ({ client }: TestSandbox): Promise<string[]> =>
  (await listSandboxEvents(client)).map((event) => event.event_type)

test('a sandbox has play money, and its clock stands still until it is advanced', async () => {
  const { client, organization } = await createTestSandbox(app)
  const clock = await client.call('sandbox.clock.get', {})
  assert.deepEqual([clock.organization_id, clock.now, clock.seed], [organization, '2026-01-10T09:00:00.000Z', 'test'])
  assert.equal(clock.next_due_at, '2026-02-01T00:00:00.000Z')
  const balance = await client.call('billing.credits.balance', {})
  assert.deepEqual([balance.available_credits, balance.play_money], [1_000_000, true])
  const me = await client.call('users.me', {})
  assert.deepEqual([me.organization?.sandbox, me.wallet?.play_money], [true, true])
  const advanced = await client.call('sandbox.clock.advance', { seconds: hour_s })
  assert.deepEqual([advanced.now, advanced.reached], ['2026-01-10T10:00:00.000Z', true])
})

test('a delayed order is delivered when the clock reaches its time, and its month is closed at its end', async () => {
  const sandbox = await createTestSandbox(app)
  const { client } = sandbox
  await client.call('sandbox.scenario.run', { scenario: { kind: 'host.delay', seconds: 12 * hour_s } })
  const order = await placeSceneOrder(client, 'commercial', [scene])
  assert.equal((await readOrder(sandbox, order)).status, 'CREATED')
  await advanceSandbox(client, hour_s)
  assert.equal((await readOrder(sandbox, order)).status, 'PLACED')
  await advanceSandbox(client, 12 * hour_s)
  const delivered = await readOrder(sandbox, order)
  assert.equal(delivered.status, 'FULFILLED')
  const events = await listSandboxEvents(client)
  const fulfilled = events.find((event) => event.event_type === 'order.fulfilled')
  assert.match(fulfilled!.timestamp, /^2026-01-10T21:0/)
  await advanceSandbox(client, 30 * day_s)
  assert.ok((await eventTypes(sandbox)).includes('item.updated'), 'the item expires after 30 days on the free plan')
})

test('a reset ends orders, deletes items and restores the credits, and the journal still verifies', async () => {
  const { client } = await createTestSandbox(app)
  await placeSceneOrder(client, 'commercial', [scene])
  await advanceSandbox(client, hour_s)
  await placeSceneOrder(client, 'commercial', [scene])
  const outcome = await client.call('sandbox.reset', {})
  assert.deepEqual(outcome, {
    stopped_orders: 1,
    deleted_items: 1,
    available_credits: 1_000_000,
    resets: 1,
    play_money: true,
  })
  assert.equal((await client.call('billing.ledger.verify', {})).valid, true)
  await advanceSandbox(client, 40 * day_s)
})

const area = { type: 'Polygon', coordinates: [[[-3.5, 50.7], [-3.45, 50.7], [-3.45, 50.75], [-3.5, 50.75], [-3.5, 50.7]]] } as const // prettier-ignore

interface OpportunityJson {
  readonly id: string
  readonly acquisitionStart: string
  readonly conflict: string | null
}

test('a decision of an order that was stopped is closed, and cannot be accepted', async () => {
  const { client, organization } = await createTestSandbox(app)
  const input = { dataProduct: 'constellation:tasking-1m5', groups: [{ geometry: area }] }
  const { id: order_id } = await client.call<{ id: string }>('orders.tasking.place', input)
  const offer = { organization_id: organization, order_id, creditsPrice: 60_000, reason: 'An offer.' }
  type Offered = { quotation: { id: string } }
  const { quotation } = await app.admin.call<Offered>('admin.tasking.quotation_upload', offer)
  await client.call('sandbox.reset', {})
  assert.deepEqual((await client.call('orders.tasking.decisions.pending', {})).content, [])
  await assert.rejects(
    client.call('orders.tasking.quotation_decide', { quotation_id: quotation.id, decision: 'ACCEPTED' }),
    { problem: 'already-decided' },
  )
  const order = await client.call('orders.get', { order_id })
  assert.deepEqual([order.status, order.subStatus], ['FAILED_PERMANENTLY', 'QUOTATION_REJECTED'])
  const { held_credits } = await client.call('billing.credits.balance', {})
  assert.equal(held_credits, 0)
})

test('an order that is stopped frees the pass of its satellite', async () => {
  const { client } = await createTestSandbox(app)
  const product = { dataProduct: 'constellation:tasking-30cm', params: { acquisitionEnd: '2026-01-24T00:00:00Z' } }
  const readPass = async () => {
    const features = [{ type: 'Feature', geometry: area, properties: {} }]
    const request = { ...product, featureCollection: { type: 'FeatureCollection', features } }
    const { opportunities } = await client.call<{ opportunities: OpportunityJson[] }>(
      'orders.tasking.opportunities_list',
      request as never,
    )
    // Late enough to be cancelled.
    return opportunities.find(({ acquisitionStart }) => acquisitionStart > '2026-01-13')!
  }
  const { id: opportunityId } = await readPass()
  const params = { ...product.params, opportunityId }
  await client.call('orders.tasking.place', { ...product, params, groups: [{ geometry: area }] } as never)
  await advanceSandbox(client, 60)
  assert.notEqual((await readPass()).conflict, null)
  await client.call('sandbox.reset', {})
  await advanceSandbox(client, 60)
  assert.equal((await readPass()).conflict, null)
})

const worldTables = [
  'constellation_collects',
  'constellation_schedules',
  'constellation_studies',
  'constellation_tasks',
]

/** Counts the rows of the simulated constellation for a sandbox, by table. */
async function countWorldRows({ organization }: TestSandbox): Promise<Record<string, number>> {
  const counts = worldTables.map(
    (name) =>
      sql`select ${name}::text as name, count(*) as count from ${sql.identifier(name, worldTables)}
          where world_id = ${organization}`,
  )
  const rows = await app.database.unscoped.query<{ name: string; count: string }>(sql.join(counts, sql` union all `))
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}

test('a reset deletes the rows of the constellation for the sandbox, and for no other one', async () => {
  const sandboxes = [await createTestSandbox(app), await createTestSandbox(app)] as const
  for (const { client } of sandboxes) {
    for (const product of ['tasking-30cm', 'tasking-50cm']) {
      const order = { dataProduct: `constellation:${product}`, groups: [{ geometry: area }] }
      await client.call('orders.tasking.place', order as never)
    }
    await advanceSandbox(client, 60)
  }
  const [reset, other] = sandboxes
  const before = await countWorldRows(other)
  assert.ok(
    Object.values(before).every((count) => count > 0),
    JSON.stringify(before),
  )
  await reset.client.call('sandbox.reset', {})
  assert.deepEqual(await countWorldRows(reset), Object.fromEntries(worldTables.map((name) => [name, 0])))
  assert.deepEqual(await countWorldRows(other), before)
  await advanceSandbox(reset.client, 10 * day_s)
  assert.deepEqual(await countWorldRows(reset), Object.fromEntries(worldTables.map((name) => [name, 0])))
  assert.equal((await reset.client.call('billing.ledger.verify', {})).valid, true)
})

test('the members of a sandbox share it: only owners and admins run scenarios and reset it', async () => {
  const { client } = await createTestSandbox(app)
  const email = `${crypto.randomUUID()}@example.org`
  const { one_time_password } = await client.call('organizations.members.add', { email, role: 'member' })
  const member = app.createClientFor(email, one_time_password!)
  const scenario = { kind: 'host.fail', times: 1 } as const
  await assert.rejects(member.call('sandbox.scenario.run', { scenario }), { status: 403 })
  await assert.rejects(member.call('sandbox.reset', {}), { status: 403 })
  const { scenarios } = await client.call<{ scenarios: object[] }>('sandbox.scenario.run', { scenario })
  assert.equal(scenarios.length, 1)
})

test('the clock, the scenarios and the reset of a sandbox do not touch another one', async () => {
  const [one, other] = [await createTestSandbox(app), await createTestSandbox(app)]
  const order = await placeSceneOrder(other.client, 'commercial', [scene])
  const before = await listSandboxEvents(other.client)
  await one.client.call('sandbox.scenario.run', { scenario: { kind: 'host.refuse_order', times: 5 } })
  await advanceSandbox(one.client, 60 * day_s)
  await one.client.call('sandbox.reset', {})
  assert.deepEqual(await listSandboxEvents(other.client), before)
  assert.equal((await other.client.call('sandbox.clock.get', {})).now, '2026-01-10T09:00:00.000Z')
  await advanceSandbox(other.client, hour_s)
  assert.equal((await readOrder(other, order)).status, 'FULFILLED')
})

test('the clock advances after a call, reports its progress, and refuses other calls meanwhile', async () => {
  const { client } = await createTestSandbox(app)
  await placeSceneOrder(client, 'commercial', [scene])
  const target = '2027-02-10T09:00:00.000Z'
  const abandoned = new AbortController()
  const first = client
    .call('sandbox.clock.advance', { to: target }, { signal: abandoned.signal })
    .catch((error: unknown) => error)
  const readClock = () => client.call('sandbox.clock.get', {})
  let clock = await readClock()
  while (clock.advancing_to === null && clock.now !== target) clock = await readClock()
  assert.equal(clock.advancing_to, target)
  await assert.rejects(client.call('sandbox.clock.advance', { seconds: 60 }), { status: 409 })
  await assert.rejects(client.call('sandbox.clock.advance', { to: '2027-02-11T09:00:00.000Z' }), { status: 409 })
  await assert.rejects(client.call('sandbox.reset', {}), { status: 409 })
  abandoned.abort()
  await first
  let joined = await client.call('sandbox.clock.advance', { to: target })
  while (!joined.reached) {
    assert.ok(joined.now > clock.now, JSON.stringify(joined))
    joined = await client.call('sandbox.clock.advance', { to: target })
  }
  assert.equal(joined.now, target)
  assert.deepEqual([(await readClock()).advancing_to, (await readClock()).now], [null, target])
})

test('a real organization has no sandbox operation, and is not touched by a sandbox', async () => {
  const { owner } = await createTestOrganization(app)
  const { client } = owner
  const calls = [
    ['sandbox.clock.get', {}],
    ['sandbox.clock.advance', { seconds: day_s }],
    ['sandbox.scenario.run', { scenario: { kind: 'host.refuse_order' } }],
    ['sandbox.reset', {}],
  ] as const
  for (const [operation, input] of calls)
    await assert.rejects(client.call(operation, input as never), { status: 403 }, operation)
  const sandbox = await createTestSandbox(app)
  await sandbox.client.call('sandbox.scenario.run', { scenario: { kind: 'host.refuse_order', times: 10 } })
  await advanceSandbox(sandbox.client, 60 * day_s)
  const captures = await findCaptures(client, 'open', ['s2-exe-20240826'])
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  const order = await client.call<OrderJson>('orders.get', { order_id: id })
  assert.ok(!order.statusHistory.some(({ to }) => to === 'PLACEMENT_FAILED'))
  // The owner may have a sandbox, too; the token stays for the real organization.
  await client.call('organizations.create', { name: 'X', sandbox: true })
  await assert.rejects(client.call('sandbox.clock.get', {}), { status: 403 })
})
