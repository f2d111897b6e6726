import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type {
  MeanUsageOfOperation,
  Usage,
  UsageOfCaller,
  UsageOfDay,
  UsageOfOperation,
} from '@swath/contract/schemas/reporting/usage.ts'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { readCallInput, requireValidOutput } from '../../engine/input/read-input.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createEnterprise } from '../../../test/enterprise.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { postJournalEntry } from '../ledger/ledger.ts'
import { createCallMeter } from './call-meter.ts'
import { createEgressMeter } from './egress-meter.ts'
import { handler as usageByOperation } from './operations/usage.by_operation.ts'
import { handler as usageCurrent } from './operations/usage.current.ts'
import { handler as usageHistory } from './operations/usage.history.ts'
import { handler as usageRecalculateStorage } from './operations/usage.recalculate_storage.ts'
import { upsertCallCounts } from './store.calls.ts'
import { recordStoredBytes } from './stored-bytes.ts'
import { findUsageMonth } from './usage-report.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

const log = { warn: () => {}, error: () => {} } as never

async function invoke<T>(handler: OperationHandler, call: Call, input: object = {}): Promise<T> {
  const body = { organization_id: call.organization, ...input }
  const response = await handler.handle(call, readCallInput(handler.operation, body) as never)
  requireValidOutput(handler.operation, response)
  return response as T
}

interface CurrentUsage {
  readonly usage: Usage
  readonly days: UsageOfDay[]
  readonly operations: UsageOfOperation[]
  readonly callers: UsageOfCaller[]
}

test('calls are counted exactly by day, operation and caller, also while others are written', async () => {
  const { owner, organization } = await app.createOrganization()
  const key = { ...owner.principal, kind: 'api_key' as const, id: newId() }
  const { database, clock } = app
  const meter = createCallMeter({ database, clock, log })
  const first = clock.now().toISOString().slice(0, 10)
  for (let round = 0; round < 40; round++) {
    meter.count({ principal: owner.principal, operation: 'items.get', failed: round % 4 === 0, duration_ms: 2 })
    meter.count({ principal: key, operation: 'items.tile.render', failed: false, duration_ms: 5 })
    if (round % 10 === 0) void meter.flush()
    if (round % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await meter.flush()
  clock.advance(day_ms)
  const second = clock.now().toISOString().slice(0, 10)
  meter.count({ principal: key, operation: 'items.get', failed: false, duration_ms: 1 })
  meter.count({
    principal: { ...owner.principal, organization: null },
    operation: 'items.get',
    failed: false,
    duration_ms: 1,
  })
  await meter.close()
  const egress = createEgressMeter({ database, clock, log })
  egress.record(organization, { type: 'asset', id: newId(), link: null }, 700, true)
  await egress.flush()
  const { usage, days, operations, callers } = await invoke<CurrentUsage>(usageCurrent, owner)
  const { call_count, failed_call_count, tile_count, compute_ms, egress_bytes, download_count } = usage
  assert.deepEqual(
    [call_count, failed_call_count, tile_count, compute_ms, egress_bytes, download_count],
    [81, 10, 40, 281, 700, 1],
  )
  assert.deepEqual(
    days.map((day) => [day.day, day.call_count, day.tile_count, day.egress_bytes]),
    [
      [first, 80, 40, 0],
      [second, 1, 0, 700],
    ],
  )
  assert.deepEqual(
    operations.map(({ operation, call_count: calls }) => [operation, calls]),
    [
      ['items.get', 41],
      ['items.tile.render', 40],
    ],
  )
  assert.deepEqual(
    new Map(callers.map(({ kind, id, call_count: calls }) => [`${kind} ${id}`, calls])),
    new Map([
      [`human ${owner.principal.id}`, 40],
      [`api_key ${key.id}`, 41],
    ]),
  )
  const other = await app.createOrganization()
  assert.equal((await invoke<CurrentUsage>(usageCurrent, other.owner)).usage.call_count, 0)
})

test('the callers are the hundred with the most calls', async () => {
  const { owner, organization } = await app.createOrganization()
  const now = owner.clock.now()
  const day = now.toISOString().slice(0, 10)
  const rows = Array.from({ length: 103 }, (_, at) => {
    const caller = { caller_kind: 'api_key', caller_id: `key ${at}` }
    return { day, operation: 'items.get', ...caller, calls: at + 1, failed: 0, duration_ms: 0 }
  })
  await owner.transaction((tx) => upsertCallCounts(tx, organization, rows, now))
  const { callers, usage } = await invoke<CurrentUsage>(usageCurrent, owner)
  assert.deepEqual([usage.call_count, callers.length], [(103 * 104) / 2, 100])
  assert.deepEqual([callers[0]!.id, callers.at(-1)!.id], ['key 102', 'key 3'])
})

test('counts that could not be written are written with the next ones', async () => {
  const { owner, organization } = await app.createOrganization()
  const { clock } = app
  let isBroken = true
  const database = {
    ...app.database,
    forOrganization: (id: string) => {
      if (isBroken) throw new Error('the database is unavailable')
      return app.database.forOrganization(id)
    },
  }
  const meter = createCallMeter({ database, clock, log })
  const call = { principal: owner.principal, operation: 'items.get', failed: false, duration_ms: 0 }
  meter.count(call)
  await meter.flush()
  isBroken = false
  meter.count(call)
  await meter.close()
  assert.equal(organization, owner.organization)
  assert.equal((await invoke<CurrentUsage>(usageCurrent, owner)).usage.call_count, 2)
})

test('credits spent are whole charges, whatever tax they contain', async () => {
  const { owner, placeAndDeliver } = await createEnterprise(app, 'AU')
  await placeAndDeliver({ product: 'Radar', km2: '11' })
  const tax = { kind: 'tax', amount_credits: -100, reference: { type: 'invoice', id: newId() } } as const
  const postings = [
    { account: 'revenue', amount_credits: -100, lot_id: null },
    { account: 'tax', amount_credits: 100, lot_id: null },
  ] as const
  await owner.transaction((tx) => postJournalEntry(tx, owner, { ...tax, postings }))
  assert.equal((await invoke<CurrentUsage>(usageCurrent, owner)).usage.credits_spent, 1100)
})

test('members see what their projects have spent, and of the callers only themselves', async () => {
  const { owner, organization, createMemberCall, placeAndDeliver } = await createEnterprise(app)
  const now = owner.clock.now()
  const { hold_id, order_id } = await placeAndDeliver({ product: 'Radar', km2: '11' })
  await placeAndDeliver({ product: 'Radar', km2: '20' })
  const [project] = await owner.db.query<{ id: string }>(sql`
    select id from projects where organization_id = ${organization}`)
  await app.database.unscoped.query(sql`
    insert into orders (organization_id, id, project_id, type, status, display_name, tags, billing_mode, hold_id,
                        total_credits, groups, created_by, created_at, updated_at)
    values (${organization}, ${order_id}, ${project!.id}, 'archive', 'FULFILLED', 'x', '{}', 'enterprise', ${hold_id}, 1100,
            '[]', 'somebody', ${now}, ${now})`)
  const inside = await createMemberCall('member')
  await app.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${organization}, ${project!.id}, ${inside.principal.user}, 'viewer', ${now}, ${now})`)
  const outside = await createMemberCall('member')
  const meter = createCallMeter({ database: app.database, clock: app.clock, log })
  for (const { principal } of [owner, inside])
    meter.count({ principal, operation: 'items.get', failed: false, duration_ms: 0 })
  await meter.close()
  const expected: readonly [call: Call, credits_spent: number, callers: string[]][] = [
    [owner, 3100, [owner.principal.id, inside.principal.id]],
    [await createMemberCall('billing'), 3100, [owner.principal.id, inside.principal.id]],
    [inside, 1100, [inside.principal.id]],
    [outside, 0, []],
  ]
  for (const [call, credits_spent, ids] of expected) {
    const { usage, callers } = await invoke<CurrentUsage>(usageCurrent, call)
    assert.deepEqual([usage.credits_spent, usage.call_count], [credits_spent, 2])
    assert.deepEqual(callers.map(({ id }) => id).sort(), ids.sort())
    const history = await invoke<{ usage: Usage[] }>(usageHistory, call, { months: 1 })
    assert.equal(history.usage[0]!.credits_spent, credits_spent)
  }
})

test('the history has a row for each month, newest first', async () => {
  const { owner } = await app.createOrganization()
  const { database, clock } = app
  const meter = createCallMeter({ database, clock, log })
  const count = (times: number) => {
    for (let at = 0; at < times; at++)
      meter.count({ principal: owner.principal, operation: 'items.get', failed: false, duration_ms: 0 })
  }
  count(3)
  await meter.flush()
  const earlier = findUsageMonth(clock.now()).period
  clock.advance(31 * day_ms)
  count(2)
  await meter.close()
  const statements: Sql[] = []
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    statements.push(statement)
    return owner.db.query<Row>(statement)
  }
  const counted = { ...owner, db: { ...owner.db, query } }
  assert.equal((await invoke<{ usage: Usage[] }>(usageHistory, counted, { months: 120 })).usage.length, 120)
  assert.ok(statements.length < 10, `${statements.length} statements`)
  const { usage } = await invoke<{ usage: Usage[] }>(usageHistory, owner, { months: 3 })
  const rows = usage.map(({ period, call_count }) => [period, call_count])
  assert.equal(rows.length, 3)
  assert.deepEqual(rows[0], [findUsageMonth(clock.now()).period, 2])
  assert.deepEqual(
    rows.find(([period]) => period === earlier),
    [earlier, 3],
  )
})

test('operations are listed by their calls, of all callers and months of the period, with the mean duration', async () => {
  const fixture = await app.createOrganization()
  const { owner, organization } = fixture
  const countIn = async (at: number, rows: readonly [operation: string, caller: string, calls: number][]) => {
    const { from } = findUsageMonth(app.clock.now(), at)
    const counted = rows.map(([operation, caller_id, calls]) => ({
      day: from.toISOString().slice(0, 10),
      operation,
      caller_kind: 'api_key',
      caller_id,
      calls,
      failed: calls - 1,
      duration_ms: 5,
    }))
    await owner.transaction((tx) => upsertCallCounts(tx, organization, counted, owner.clock.now()))
  }
  await countIn(0, [
    ['items.get', 'one', 3],
    ['items.get', 'two', 2],
    ['users.me', 'one', 2],
  ])
  await countIn(1, [
    ['users.me', 'two', 6],
    ['items.search', 'two', 1],
  ])
  await countIn(2, [['items.get', 'one', 100]])
  const member = await fixture.createMemberCall('member')
  const list = (input: object) =>
    invoke<{ operations: MeanUsageOfOperation[]; total: number }>(usageByOperation, member, input)
  const toRow = (row: MeanUsageOfOperation) => [
    row.operation,
    row.call_count,
    row.failed_call_count,
    row.mean_duration_ms,
  ]
  const { operations, total } = await list({ months: 2 })
  assert.equal(total, 3)
  assert.deepEqual(operations.map(toRow), [
    ['users.me', 8, 6, 1.25],
    ['items.get', 5, 3, 2],
    ['items.search', 1, 0, 5],
  ])
  const page = await list({ months: 2, limit: 1, offset: 1 })
  assert.deepEqual([page.operations.map(({ operation }) => operation), page.total], [['items.get'], 3])
  assert.deepEqual((await list({ months: 3 })).operations.map(toRow)[0], ['items.get', 105, 102, 15 / 105])
  const { operations: ofMonth } = await invoke<CurrentUsage>(usageCurrent, owner)
  const expected = ofMonth.map((row) => ({ ...row, mean_duration_ms: row.compute_ms / row.call_count }))
  assert.deepEqual((await list({ months: 1 })).operations, expected)
  const other = await app.createOrganization()
  assert.deepEqual((await invoke<{ operations: unknown[] }>(usageByOperation, other.owner)).operations, [])
})

test('a month begins and ends in UTC, across the end of a year', () => {
  const january = new Date('2026-01-31T23:59:59.999Z')
  assert.deepEqual(findUsageMonth(january), {
    period: '2026-01',
    from: new Date('2026-01-01T00:00:00Z'),
    to: new Date('2026-02-01T00:00:00Z'),
  })
  assert.equal(findUsageMonth(january, 1).period, '2025-12')
})

test('metadata of items and reservations of uploads are counted apart', async () => {
  const { owner, organization, project } = await app.createOrganization()
  /** An open session, or one whose URLs are still valid after it has failed. */
  const insertUpload = (status: 'initiated' | 'failed', reserved_bytes: number, addressed_bytes: number) => {
    const now = app.clock.now()
    return app.database.unscoped.query(sql`
      insert into uploads (organization_id, id, project_id, status, transfer_method, file_count, total_bytes,
                           reserved_bytes, addressed_bytes, bytes_uploaded, is_categorical, attempt, expires_at,
                           created_at, updated_at)
      values (${organization}, ${newId()}, ${project}, ${status}, 'browser', 1, 1, ${reserved_bytes},
              ${addressed_bytes}, 0, false, 0, ${status === 'initiated' ? now : null}, ${now}, ${now})`)
  }
  await app.database.unscoped.query(sql`
    insert into storage_totals (organization_id, file_bytes, metadata_bytes) values (${organization}, 50, 700)
    on conflict (organization_id) do update set file_bytes = 50, metadata_bytes = 700`)
  await insertUpload('initiated', 3000, 10)
  await insertUpload('failed', 0, 400)
  const { usage } = await invoke<CurrentUsage>(usageCurrent, owner)
  assert.deepEqual([usage.storage_bytes, usage.metadata_bytes, usage.reserved_bytes], [50, 700, 3400])
})

test('recalculating sets the stored bytes to the sum of the journal', async () => {
  const fixture = await app.createOrganization()
  const { owner, organization } = fixture
  await owner.transaction((tx) =>
    recordStoredBytes(tx, owner, [
      { asset_id: null, object_path: 'items/a/data.tif', bytes_delta: 1234, cause: 'delivered' },
    ]),
  )
  await app.database.unscoped.query(sql`
    update storage_totals set file_bytes = 99 where organization_id = ${organization}`)
  const expected = { organization_id: organization, storage_bytes: 1234, previous_storage_bytes: 99 }
  assert.deepEqual(await invoke(usageRecalculateStorage, owner), expected)
  assert.equal((await invoke<CurrentUsage>(usageCurrent, owner)).usage.storage_bytes, 1234)
  assert.deepEqual(await invoke(usageRecalculateStorage, owner), { ...expected, previous_storage_bytes: 1234 })
  const other = await app.createOrganization()
  for (const handler of [usageCurrent, usageHistory, usageByOperation, usageRecalculateStorage])
    await assert.rejects(invoke(handler, other.owner, { organization_id: organization }), { problem: 'not-found' })
})
