import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { idOfDay, noonOfDay } from '../../../../test/events/attempt-days.ts'
import {
  dropDays,
  eventPartitionOfDay,
  insertEventRow,
  listEventPartitions,
} from '../../../../test/events/event-days.ts'
import { openUploadServices, type UploadServices } from '../../../../test/upload-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import {
  createLogPartitions,
  dropLogPartitions,
  type LogPartitionedByDay,
} from '../../../platform/database/partitions/log-partitions.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { findFirstEvents, hasEntityEvents } from '../../events/entity-events.ts'
import { assignEventNumbers } from '../../events/number-events.ts'
import { listNumberedEvents } from '../../events/store.sequence.ts'
import { findEntityCreator } from '../../notifications/notify.ts'
import { countEventsByMonth } from '../../usage/store.activity.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

type Organization = Awaited<ReturnType<UploadServices['createOrganization']>>

const defaultPartition = 'events_default'
/** A day that is dropped, and one that is not. */
const [dropped_day, kept_day] = [-limits.event_days - 1, -limits.event_days]

const sweep = (): Promise<unknown> => app.taskRunner.runTask(backgroundTaskTypes.sweepEventDays)

const listIds = async ({ owner, organization }: Organization): Promise<string[]> => [
  ...(await listEventPartitions(owner.db, organization)).keys(),
]

test(
  'an event is in the partition of the day of its id, also if it was inserted before there was one',
  skipOnCitus('logs are not partitioned there'),
  async () => {
    const { owner, organization } = await app.createOrganization()
    const { unscoped } = app.database
    await app.database.runScript(dropDays('events'))
    const days = [-20, -1, 0, 0, 1, 40, 400_000]
    const ids = days.map(idOfDay)
    for (const id of ids) await insertEventRow(owner.db, organization, { id })
    const before_move = await listEventPartitions(owner.db, organization)
    assert.deepEqual(new Set(before_move.values()), new Set([defaultPartition]))
    await createLogPartitions(unscoped, 'events')
    const moved = await listEventPartitions(owner.db, organization)
    assert.deepEqual(
      ids.map((id) => moved.get(id)),
      days.map((day) => (day > 3 ? defaultPartition : eventPartitionOfDay(day))),
    )
    assert.equal(await createLogPartitions(unscoped, 'events'), 0)
  },
)

test('the first event about an entity is found on the day of the entity, on a later day, and without a time in its id', async () => {
  const { owner, organization } = await app.createOrganization()
  const [early, late, timeless] = [idOfDay(-40), idOfDay(-30), 'a name']
  const insert = (entity_id: string, day: number, actor_id: string) =>
    insertEventRow(owner.db, organization, { id: idOfDay(day), entity_id, actor_id })
  await insert(early, -40, 'first')
  await insert(early, -38, 'second')
  await insert(late, -20, 'first')
  await insert(late, -3, 'second')
  await insert(timeless, -70, 'first')
  await insert(timeless, -1, 'second')
  const entities = [early, late, timeless, early, idOfDay(-10)].map((id) => ({ type: 'order', id }))
  const found = await findFirstEvents(owner.db, organization, entities)
  assert.deepEqual(
    found.map(({ entity_id, actor_id }) => [entity_id, actor_id]).toSorted(),
    [early, late, timeless].map((id) => [id, 'first']).toSorted(),
  )
  assert.deepEqual(await findFirstEvents(owner.db, organization, []), [])
})

test('the sweep drops the days whose retention of events has ended, and nothing else', async () => {
  const org = await app.createOrganization()
  const ids = [dropped_day - 300, dropped_day, kept_day, -1, 0, 40].map(idOfDay)
  for (const id of ids) await insertEventRow(org.owner.db, org.organization, { id })
  await sweep()
  await sweep()
  assert.deepEqual(await listIds(org), ids.slice(2))
})

/** An entity that was created on a dropped day by a member, and changed by another one on that day and later. */
async function createOldEntity({ owner, organization, project }: Organization, creator: string) {
  const entity = { entity_type: 'order', entity_id: idOfDay(dropped_day - 1), project_id: project }
  const times = [dropped_day, kept_day, 0].map(noonOfDay)
  await insertEventRow(owner.db, organization, {
    ...entity,
    id: idOfDay(dropped_day - 1),
    actor_id: creator,
    created_at: times[0]!,
  })
  for (const [index, day] of [dropped_day, kept_day, 0].entries())
    await insertEventRow(owner.db, organization, { ...entity, id: idOfDay(day), created_at: times[index]! })
  return { type: entity.entity_type, id: entity.entity_id }
}

test('lineage and notifications know who created an entity after the day of its creation was dropped', async () => {
  const org = await app.createOrganization()
  const { owner, organization } = org
  const creator = await org.createMemberCall('admin')
  const entity = await createOldEntity(org, creator.principal.id)
  // All its events are dropped.
  const forgotten = { type: 'alert_rule', id: idOfDay(dropped_day) }
  await insertEventRow(owner.db, organization, {
    id: idOfDay(dropped_day),
    entity_type: forgotten.type,
    entity_id: forgotten.id,
  })
  const other = await app.createOrganization()
  const read = async () => ({
    lineage: await app.callOperation(owner, 'provenance.export', {
      entity_type: entity.type,
      entity_id: entity.id,
    }),
    told: await owner.transaction((tx) =>
      findEntityCreator(tx, organization, { entity_type: entity.type, entity_id: entity.id }),
    ),
    known: await hasEntityEvents(owner.db, organization, forgotten),
    of_others: await hasEntityEvents(other.owner.db, other.organization, entity),
    mixed_types: await hasEntityEvents(owner.db, organization, { ...entity, type: 'item' }),
  })
  const expected = await read()
  assert.equal(expected.told, creator.principal.id)
  assert.ok(JSON.stringify(expected.lineage).includes(creator.principal.id))
  assert.deepEqual([expected.known, expected.of_others, expected.mixed_types], [true, false, false])
  await sweep()
  assert.equal((await listIds(org)).length, 2)
  assert.deepEqual(await read(), expected)
  // A later day that is dropped does not replace the first event.
  await dropLogPartitions(app.database.unscoped, 'events', 1)
  assert.equal((await listIds(org)).length, 1)
  assert.deepEqual(await read(), expected)
})

const countAll = async ({ owner, organization }: Organization, from: Date, to: Date) =>
  (await countEventsByMonth(owner.db, organization, ['order.created', 'job.created'], { from, to })).toSorted((a, b) =>
    `${a.period} ${a.kind}`.localeCompare(`${b.period} ${b.kind}`),
  )

test('events of past months are counted as before after their days were dropped, by the clock of the organization', async () => {
  const [org, other] = [await app.createOrganization(), await app.createOrganization()]
  const month = (number: number): Date => new Date(Date.UTC(2031, number, 1))
  const last = (number: number): Date => new Date(month(number).getTime() - 1)
  // The clock of a sandbox is not that of the ids.
  const rows = [
    { created_at: last(3), kind: 'order.created', day: dropped_day },
    { created_at: month(3), kind: 'order.created', day: dropped_day },
    { created_at: month(3), kind: 'order.created', day: dropped_day - 1 },
    { created_at: month(3), kind: 'order.created', day: kept_day },
    { created_at: last(4), kind: 'job.created', day: dropped_day },
    { created_at: last(4), kind: 'item.created', day: dropped_day },
    { created_at: month(4), kind: 'order.created', day: dropped_day - 500 },
  ]
  for (const { owner, organization } of [org, org, other])
    for (const { day, ...row } of rows) await insertEventRow(owner.db, organization, { id: idOfDay(day), ...row })
  const read = async () => [
    await countAll(org, month(3), month(4)),
    await countAll(org, month(2), month(5)),
    await countAll(other, month(3), month(4)),
  ]
  const expected = await read()
  assert.deepEqual(expected[0], [
    { period: '2031-04', kind: 'job.created', count: 2 },
    { period: '2031-04', kind: 'order.created', count: 6 },
  ])
  assert.deepEqual(
    expected[1]!.map(({ count }) => count),
    [2, 2, 6, 2],
  )
  await sweep()
  assert.equal((await listIds(org)).length, 2)
  assert.deepEqual(await read(), expected)
  // Events that come after their day was dropped are added.
  for (let late = 0; late < 2; late++) {
    await insertEventRow(org.owner.db, org.organization, { ...rows[1]!, id: idOfDay(dropped_day) })
    await sweep()
  }
  assert.equal((await countAll(org, month(3), month(4)))[1]!.count, 8)
})

test('a drop that is cut off has changed nothing, and the next one counts each event once', async () => {
  const org = await app.createOrganization()
  const created_at = new Date('2031-02-03T04:05:06Z')
  for (const day of [dropped_day, dropped_day]) {
    await insertEventRow(org.owner.db, org.organization, { id: idOfDay(day), created_at })
  }
  await createLogPartitions(app.database.unscoped, 'events')
  const count = () => countAll(org, new Date('2031-02-01T00:00:00Z'), new Date('2031-03-01T00:00:00Z'))
  const expected = await count()
  await assert.rejects(
    app.database.unscoped.transaction(async (tx) => {
      await dropLogPartitions(tx, 'events', limits.event_days)
      assert.deepEqual(await tx.query(sql`select id from events where organization_id = ${org.organization}`), [])
      throw new Error('killed')
    }),
    /killed/,
  )
  assert.deepEqual([(await listIds(org)).length, await count()], [2, expected])
  await sweep()
  assert.deepEqual([(await listIds(org)).length, await count()], [0, expected])
})

test('numbers of events stay unique and in order over a change of day, also if several processes give them', async () => {
  const { owner, organization } = await app.createOrganization()
  const insert = async (days: readonly number[]): Promise<string[]> => {
    const ids = days.map(idOfDay)
    for (const id of ids) await insertEventRow(owner.db, organization, { id })
    return ids.toSorted()
  }
  const first = await insert([-1, -1, 0, 0, 1])
  await Promise.all([1, 2, 3].map(() => assignEventNumbers(owner.db, organization)))
  // Committed late: made before those that have numbers.
  const late = await insert([-1, -1])
  const last = await insert([1, 2])
  await Promise.all([1, 2, 3].map(() => assignEventNumbers(owner.db, organization)))
  const filter = {
    organization,
    kind: null,
    entity_type: null,
    entity_id: null,
    from: null,
    limit: 100,
    visibility: null,
  }
  const rows = await listNumberedEvents(owner.db, { ...filter, after: 0 })
  assert.deepEqual(
    rows.map(({ id, sequence }) => [id, sequence]),
    [...first, ...late, ...last].map((id, index) => [id, index + 1]),
  )
  const rest = await listNumberedEvents(owner.db, { ...filter, after: first.length })
  assert.deepEqual(
    rest.map(({ id }) => id),
    [...late, ...last],
  )
})

test('events of all days are numbered for the first reader, and those of the last days for later ones', async () => {
  const { owner, organization } = await app.createOrganization()
  const listNumbers = async () =>
    (
      await owner.db.query<{ sequence: number }>(
        sql`select sequence from events where organization_id = ${organization} order by id`,
      )
    ).map(({ sequence }) => sequence)
  for (const day of [-100, -50, 0]) await insertEventRow(owner.db, organization, { id: idOfDay(day) })
  await assignEventNumbers(owner.db, organization)
  await insertEventRow(owner.db, organization, { id: idOfDay(-1) })
  // A row that was not committed for weeks cannot be: no transaction lives so long.
  await insertEventRow(owner.db, organization, { id: idOfDay(-20) })
  await assignEventNumbers(owner.db, organization)
  assert.deepEqual(await listNumbers(), [1, 2, null, 4, 3])
  const [row] = await owner.db.query<{ numbered_until: string }>(
    sql`select numbered_until from event_sequences where organization_id = ${organization}`,
  )
  assert.ok(row!.numbered_until < idOfDay(-1) && row!.numbered_until > idOfDay(-4))
})

test('pages of events, newest first, go on over days of which the first are read apart', async () => {
  const { owner, organization } = await app.createOrganization()
  const days = [-100, -99, -8, -7, -6, -1, 0, 1]
  const ids = days.map(idOfDay)
  for (const id of ids) await insertEventRow(owner.db, organization, { id })
  for (const limit of [1, 3, 5, 100]) {
    const found: string[] = []
    let next: string | undefined
    do {
      const page: { events: { event_id: string }[]; next?: string } = await app.callOperation(owner, 'events.list', {
        limit,
        ...(next === undefined ? {} : { next }),
      })
      found.push(...page.events.map(({ event_id }) => event_id))
      next = page.next
    } while (next !== undefined)
    assert.deepEqual(found, ids.toReversed())
  }
})

test('a cursor older than the oldest event continues with the oldest one', async () => {
  const { owner, organization } = await app.createOrganization()
  interface Page {
    readonly events: readonly { readonly event_id: string }[]
    readonly next: string
  }
  const poll = (next?: string) =>
    app.callOperation<Page>(owner, 'events.list', {
      order: 'oldest',
      ...(next === undefined ? {} : { next }),
      limit: 1,
    })
  const ids = [dropped_day, dropped_day, kept_day, 0].map(idOfDay)
  for (const id of ids) await insertEventRow(owner.db, organization, { id })
  const { next } = await poll()
  await sweep()
  assert.equal((await poll(next)).events[0]!.event_id, ids[2])
})

test('deliveries that are still open when their event is dropped are ended, with their numbers, and no others', async () => {
  const { owner, organization } = await app.createOrganization()
  const subscription = newId()
  await owner.db.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, active, last_sequence, created_at, updated_at)
    values (${organization}, ${subscription}, 'order.created', 'https://example.org', false, 7, now(), now())`)
  const ids = [dropped_day, dropped_day, kept_day].map(idOfDay)
  for (const id of ids) {
    await insertEventRow(owner.db, organization, { id })
    await owner.db.query(sql`
      insert into event_deliveries (organization_id, id, event_id, subscription_id, next_at, scheduled_at, created_at)
      values (${organization}, ${id}, ${id}, ${subscription}, now(), now(), now())`)
  }
  await sweep()
  const open = await owner.db.query<{ id: string }>(
    sql`select id from event_deliveries where organization_id = ${organization} and next_at is not null`,
  )
  assert.deepEqual(open, [{ id: ids[2] }])
  const [row] = await owner.db.query(
    sql`select last_sequence from event_subscriptions where organization_id = ${organization}`,
  )
  assert.deepEqual(row, { last_sequence: 9 })
})

const nameTable = (name: string) => sql.identifier(name, [name])

test(
  'no role of the service reads or drops a partition directly, and through the table only its own organization',
  skipOnCitus('logs are not partitioned there'),
  async () => {
    const { owner, organization } = await app.createOrganization()
    const other = await app.createOrganization()
    const { unscoped } = app.database
    await createLogPartitions(unscoped, 'events')
    await insertEventRow(owner.db, organization, { id: idOfDay(0) })
    for (const name of [eventPartitionOfDay(0), defaultPartition])
      for (const db of [owner.db, other.owner.db, unscoped]) {
        const table = nameTable(name)
        await assert.rejects(db.query(sql`select id from ${table}`), /permission denied/)
        await assert.rejects(db.query(sql`insert into ${table} (id) values (${idOfDay(0)})`), /permission denied/)
        await assert.rejects(db.query(sql`update ${table} set sequence = 1`), /permission denied/)
        await assert.rejects(db.query(sql`drop table ${table}`), /must be owner/)
      }
    const count = async (db: SqlStatementRunner): Promise<number> =>
      (await db.query(sql`select from events where organization_id = ${organization}`)).length
    assert.deepEqual([await count(owner.db), await count(other.owner.db)], [1, 0])
    await assert.rejects(owner.db.query(sql`update events set kind = 'x'`), /permission denied/)
  },
)

test('the functions for days refuse other tables, other roles, and dropping events without their counts', async () => {
  const { owner } = await app.createOrganization()
  const { unscoped } = app.database
  const refused = [
    'items',
    'users',
    eventPartitionOfDay(0),
    defaultPartition,
    'no_table',
    'events"; drop table items; --',
    '',
  ]
  for (const name of refused as LogPartitionedByDay[]) {
    await assert.rejects(createLogPartitions(unscoped, name), /is not a log with a partition for each day/, name)
    await assert.rejects(dropLogPartitions(unscoped, name, 1), /is not a log with a partition for each day/, name)
    await assert.rejects(
      unscoped.query(sql`select swath_drop_partitions(${name}, date '2020-01-01')`),
      /is not a log with a partition for each day/,
    )
  }
  await assert.rejects(dropLogPartitions(unscoped, 'events', 0), /not over/)
  await assert.rejects(unscoped.query(sql`select swath_drop_partitions('events', current_date + 1)`), /not over/)
  await assert.rejects(
    unscoped.query(sql`select swath_drop_partitions('events', date '2020-01-01')`),
    /swath_drop_days/,
  )
  await assert.rejects(unscoped.query(sql`select swath_create_days('events', 1000)`), /0 to 31 days/)
  for (const call of [
    sql`swath_create_days('events', 1)`,
    sql`swath_drop_days('events', 1)`,
    sql`swath_drop_partitions('events', date '2020-01-01')`,
    sql`swath_keep_of_events(null)`,
  ])
    await assert.rejects(owner.db.query(sql`select ${call}`), /permission denied/)
})
