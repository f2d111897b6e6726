import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ApiProblem } from '@swath/client/problem.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { getWalletBalance, placeSceneOrder, waitForOrder } from '../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../../../test/test-organizations.ts'
import { upsertCallCounts } from '../usage/store.calls.ts'
import { chooseReportGranularity, sumReportColumns } from './report.ts'

let app: TestApp
let org: TestOrganization
let member: TestUser
let spent_credits = 0
before(async () => {
  app = await startTestApp({ background: immediateRetries, hosts: [await createFaultyHost('good')] })
  org = await createTestOrganization(app, 1_000_000)
  member = await org.addMember('member')
  const { client } = org.owner
  const { available } = await getWalletBalance(client)
  await waitForOrder(client, await placeSceneOrder(client, 'good', smallScenes), 'FULFILLED')
  spent_credits = available - (await getWalletBalance(client)).available
})
after(() => app?.close())

interface Report {
  readonly rows: Record<string, string | number | null>[]
  readonly totals: Record<string, number>
  readonly from: string
  readonly to: string
}

const generate = (user: TestUser, report_type: string, more: object = {}): Promise<Report> =>
  user.client.call<Report>('reports.generate', { report_type, ...more } as never)

test('the reports on orders and spending equal what the wallet paid', async () => {
  const orders = await generate(org.owner, 'orders')
  assert.equal(orders.rows.length, 1)
  const { type, status, orders: count, captured_credits } = orders.rows[0]!
  assert.deepEqual([type, status, count, captured_credits], ['archive', 'FULFILLED', 1, spent_credits])
  const spending = await generate(org.owner, 'spending')
  assert.ok(spent_credits > 0)
  assert.equal(spending.totals['credits'], spent_credits)
  assert.equal(new Date(spending.to).getTime() - new Date(spending.from).getTime(), 30 * 86_400_000)
})

test('the inventory counts the items and the bytes of their files', async () => {
  const { rows, totals } = await generate(org.owner, 'inventory')
  const { numberMatched } = await org.owner.client.call<{ numberMatched: number }>('stac.search', { limit: 1 })
  const { usage } = await org.owner.client.call<{ usage: { storage_bytes: number } }>('usage.current', {
    organization_id: org.organization,
  })
  assert.equal(totals['items'], numberMatched)
  assert.equal(totals['file_bytes'], usage.storage_bytes)
  assert.equal(rows.length, 1)
  assert.match(String(rows[0]!['first_day']), /^\d{4}-\d\d-\d\d$/)
})

test('a period in which nothing happened has no rows and totals of zero', async () => {
  const past = { from: '2001-01-01T00:00:00Z', to: '2001-02-01T00:00:00Z' }
  for (const report_type of ['orders', 'spending', 'usage', 'processing', 'inventory']) {
    const { rows, totals } = await generate(org.owner, report_type, past)
    assert.deepEqual(rows, [])
    assert.deepEqual(new Set(Object.values(totals)), new Set([0]))
  }
})

test('members see the records of their projects only, and no others of the organization', async () => {
  for (const report_type of ['orders', 'spending', 'inventory', 'processing', 'usage'])
    assert.deepEqual((await generate(member, report_type)).rows, [], report_type)
  await assert.rejects(generate(member, 'orders', { project_id: org.project }), { problem: 'not-a-member' })
  const other = await createTestOrganization(app, 0)
  await assert.rejects(generate(other.owner, 'orders', { project_id: org.project }), { problem: 'not-found' })
})

test('the calls of the organization are in the report on usage, and not in that of a project', async () => {
  const now = app.clock.forOrganization(org.organization).now()
  const counted = { operation: 'items.tile.render', caller_kind: 'human', caller_id: org.owner.user }
  const row = { ...counted, day: now.toISOString().slice(0, 10), calls: 3, failed: 1, duration_ms: 20 }
  await app.database
    .forOrganization(org.organization)
    .transaction((tx) => upsertCallCounts(tx, org.organization, [row], now))
  const { rows } = await generate(org.owner, 'usage')
  const tiles = rows.find(({ operation }) => operation === 'items.tile.render')
  assert.deepEqual([tiles?.['calls'], tiles?.['failed_calls'], tiles?.['duration_ms']], [3, 1, 20])
  const ofProject = await generate(org.owner, 'usage', { project_id: org.project })
  assert.deepEqual(
    ofProject.rows.filter(({ operation }) => operation !== null),
    [],
  )
})

test('the day on which a report ends at midnight is not in it', async () => {
  const db = app.database.forOrganization(org.organization)
  const counted = { operation: 'items.get', caller_kind: 'human', caller_id: org.owner.user, failed: 0, duration_ms: 0 }
  const rows = ['2029-12-31', '2030-01-01'].map((day, at) => ({ ...counted, day, calls: 3 + at }))
  const now = app.clock.forOrganization(org.organization).now()
  await db.transaction((tx) => upsertCallCounts(tx, org.organization, rows, now))
  const countCalls = async (to: string) =>
    (await generate(org.owner, 'usage', { from: '2029-12-30T00:00:00Z', to })).totals['calls']
  assert.equal(await countCalls('2030-01-01T00:00:00Z'), 3)
  assert.equal(await countCalls('2030-01-01T00:00:00.001Z'), 7)
})

test('a report whose end is not after its beginning is refused', async () => {
  const moment = '2030-01-01T00:00:00Z'
  await assert.rejects(
    generate(org.owner, 'orders', { from: moment, to: moment }),
    ({ problem, document }: ApiProblem) => {
      const errors = [{ path: 'from', message: 'must be earlier than `to`' }]
      assert.deepEqual([problem, document['errors']], ['validation', errors])
      return true
    },
  )
})

test('rows are by day for a quarter and by month for more', () => {
  const start = new Date('2030-01-01T00:00:00Z')
  assert.equal(chooseReportGranularity(start, new Date('2030-04-03T00:00:00Z')), 'day')
  assert.equal(chooseReportGranularity(start, new Date('2030-04-03T00:00:00.001Z')), 'month')
})

test('totals sum the requested columns and count the rows', () => {
  const rows = [
    { name: 'a', credits: 2 },
    { name: 'b', credits: null },
  ]
  assert.deepEqual(sumReportColumns(rows, ['credits']), { rows: 2, credits: 2 })
})
