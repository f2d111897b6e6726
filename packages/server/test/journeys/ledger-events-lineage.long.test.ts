import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { getWalletBalance, placeSceneOrder, waitForOrder, type EventJson } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let client: Client
before(async () => {
  app = await startTestApp({
    background: immediateRetries,
    hosts: [
      await createFaultyHost('good'),
      await createFaultyHost('refuses', { place: ['refuse'] }),
      await createFaultyHost('forgets-one', { files: { [smallScenes[1]]: ['missing'] } }),
    ],
  })
  org = await createTestOrganization(app, 20_000)
  client = org.owner.client
  for (const [host, status] of [
    ['good', 'FULFILLED'],
    ['refuses', 'FAILED_PERMANENTLY'],
    ['forgets-one', 'FULFILLED'],
  ] as const) {
    await waitForOrder(client, await placeSceneOrder(client, host, smallScenes), status)
  }
  await app.admin.call('admin.orgs.credit_adjust', {
    organization_id: org.organization,
    amount_credits: -5,
    reason: 'a correction',
  })
})
after(() => app?.close())

interface JournalTransaction {
  readonly id: string
  readonly reason: string
  readonly amount_credits: number
  readonly balance_after_credits: number
  readonly operation: string | null
  readonly actor: string | null
}

const listTransactions = async (input: object = {}): Promise<JournalTransaction[]> =>
  (await client.call<{ transactions: JournalTransaction[] }>('billing.credits.transactions', input)).transactions

const sumByReason = (lines: readonly JournalTransaction[], ...reasons: readonly string[]): number =>
  lines.filter((line) => reasons.includes(line.reason)).reduce((total, line) => total + line.amount_credits, 0)

test('the transactions of the journal add up to the balance, each with its running balance', async () => {
  const lines = (await listTransactions()).toReversed()
  const { available, held } = await getWalletBalance(client)
  assert.deepEqual(
    lines.map((line) => line.reason),
    ['grant_manual', 'hold', 'capture', 'hold', 'release', 'hold', 'release', 'capture', 'adjust'],
  )
  // Holds and releases change the available balance, captures the total.
  const grants = sumByReason(lines, 'grant_manual', 'adjust')
  assert.equal(grants + sumByReason(lines, 'hold', 'release'), available)
  assert.equal(grants + sumByReason(lines, 'capture'), available + held)
  let before = 0
  for (const line of lines) {
    const availableChange = line.reason === 'capture' ? 0 : line.amount_credits
    assert.equal(line.balance_after_credits, before + availableChange, line.reason)
    before = line.balance_after_credits
  }
  assert.equal(before, available)
  await assertLedgerConsistent(app)
})

test('transactions have operation and actor, are paged, and can be filtered by reason', async () => {
  const lines = await listTransactions()
  const hold = lines.find((line) => line.reason === 'hold')!
  assert.deepEqual([hold.operation, hold.actor], ['orders.archive.place', org.owner.user])
  assert.equal(lines.find((line) => line.reason === 'capture')?.operation, 'orders.fulfil')
  assert.equal(lines[0]?.operation, 'admin.orgs.credit_adjust')
  const pages = await Promise.all([0, 4, 8, 12].map((offset) => listTransactions({ limit: 4, offset })))
  assert.deepEqual(pages.flat(), lines)
  assert.deepEqual(
    (await listTransactions({ reason: 'capture' })).map((line) => line.id),
    lines.filter((line) => line.reason === 'capture').map((line) => line.id),
  )
  assert.deepEqual(await listTransactions({ reason: 'auto_topup' }), [])
})

test('the journal cannot be changed, not even by the owner of the tables', async () => {
  for (const statement of [
    sql`update journal_entries set amount_credits = 0`,
    sql`delete from journal_entries`,
    sql`update journal_postings set amount_credits = amount_credits + 1`,
    sql`delete from journal_postings`,
  ]) {
    await assert.rejects(app.database.unscoped.query(statement))
  }
  const organizationDb = app.database.forOrganization(org.organization)
  for (const statement of [
    sql`delete from credit_holds`,
    sql`delete from events`,
    sql`update provenance_edges set relation = 'x'`,
  ]) {
    await assert.rejects(organizationDb.query(statement))
  }
})

test('events are listed newest first in stable pages, and by type and entity', async () => {
  const all: EventJson[] = []
  let next: string | undefined
  let pages = 0
  do {
    const page = await client.call<{ events: EventJson[]; next?: string }>('events.list', {
      limit: 4,
      ...(next ? { next } : {}),
    })
    all.push(...page.events)
    next = page.next
    await client.call('collections.create', { project_id: org.project, name: `While reading ${++pages}` })
  } while (next)
  const ids = all.map((event) => (event as unknown as { event_id: string }).event_id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.ok(pages >= 4, String(pages))
  assert.ok(!all.some((event) => String(event.data['name']).startsWith('While reading')))
  const { events } = await client.call<{ events: EventJson[] }>('events.list', { event_type: 'order.failed' })
  assert.equal(events.length, 1)
  assert.equal((await client.call<{ events: EventJson[] }>('events.list', { entity_type: 'item' })).events.length, 3)
  await assert.rejects(client.call('events.list', { next: 'x' }), { status: 422 })
})

test('lineage is traversed up, down and both ways to the requested depth', async () => {
  const { content } = await client.call('orders.list', { status: 'FULFILLED' })
  const order = content.at(-1)!
  const entity = { entity_type: 'order' as const, entity_id: order.id }
  const up = await client.call('provenance.get', { ...entity, direction: 'up' })
  assert.deepEqual(
    up.edges.map((edge) => [edge.relation, edge.dst_type, edge.depth]),
    [
      ['derived_from', 'capture', 1],
      ['derived_from', 'capture', 1],
    ],
  )
  const down = await client.call('provenance.get', { ...entity, direction: 'down' })
  assert.deepEqual(
    new Set(down.edges.map((edge) => [edge.relation, edge.src_type].join())),
    new Set(['delivered_by,item']),
  )
  const both = await client.call('provenance.get', { ...entity, direction: 'both' })
  assert.equal(both.edges.length, up.edges.length + down.edges.length)
  assert.ok(both.edges.every((edge) => edge.invocation_id))
  assert.equal(both.truncated, false)

  const item = down.nodes.find((node) => node.entity_type === 'item')!
  const lineageDepth1 = await client.call('provenance.get', {
    entity_type: 'item',
    entity_id: item.entity_id,
    max_depth: 1,
  })
  assert.deepEqual(
    lineageDepth1.nodes.map((node) => [node.entity_type, node.depth]),
    [
      ['item', 0],
      ['order', 1],
    ],
  )
  const fullLineage = await client.call('provenance.get', { entity_type: 'item', entity_id: item.entity_id })
  assert.deepEqual(
    fullLineage.nodes.map((node) => node.depth),
    [0, 1, 2, 2],
  )
  // A capture in two orders leads to the items of both.
  const capture = await client.call('provenance.get', {
    entity_type: 'capture',
    entity_id: `good:${smallScenes[0]}`,
    direction: 'down',
  })
  assert.deepEqual(capture.nodes.map((node) => node.entity_type).sort(), ['capture', 'item', 'item', 'order'])
  await assert.rejects(client.call('provenance.get', { entity_type: 'capture', entity_id: 'good:nothing' }), {
    status: 404,
  })
})

test('an entity without lineage edges is found by its creation event', async () => {
  const { id } = await client.call('projects.create', { name: 'Alone' })
  const lineage = await client.call('provenance.get', { entity_type: 'project', entity_id: id })
  assert.deepEqual(lineage.edges, [])
  assert.deepEqual(
    lineage.nodes.map((node) => node.entity_id),
    [id],
  )
})

test('orders are listed with every filter, sorted and in pages', async () => {
  const list = (input: InputOf<'orders.list'>) => client.call('orders.list', input)
  assert.equal((await list({})).totalElements, 3)
  assert.equal((await list({ status: 'fulfilled,CANCELLED' })).totalElements, 2)
  assert.equal((await list({ status: 'FAILED_PERMANENTLY' })).content[0]?.failureReason?.code, 'host-refused')
  assert.equal((await list({ type: 'tasking' })).totalElements, 0)
  assert.equal((await list({ displayName: 'SOUTHSIDE' })).totalElements, 3)
  assert.equal((await list({ displayName: '%' })).totalElements, 0)
  assert.equal((await list({ subStatus: 'SCHEDULED' })).totalElements, 0)
  assert.equal((await list({ tags: 'a,b' })).totalElements, 0)
  assert.equal((await list({ workspaceId: org.project })).totalElements, 3)
  const all = (await list({ sort: 'createdAt,asc' })).content.map(({ id }) => id)
  assert.deepEqual(
    (await list({})).content.map(({ id }) => id),
    all.toReversed(),
  )
  assert.deepEqual((await list({ orderIds: all.slice(0, 2).join(',') })).totalElements, 2)
  const pages = await Promise.all([0, 1, 2].map((page) => list({ size: 2, page, sort: 'createdAt,asc' })))
  assert.deepEqual(
    pages.map((page) => [page.content.length, page.last, page.totalPages]),
    [
      [2, false, 2],
      [1, true, 2],
      [0, true, 2],
    ],
  )
  await assert.rejects(list({ sort: 'price,asc' }), { status: 422 })
  assert.equal((await list({ orderIds: 'not an id' })).totalElements, 0)
})
