import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/schema/migrations-before.ts'
import { idOfDay, noonOfDay } from '../../../../test/events/attempt-days.ts'
import {
  endAttachedPartition,
  eventPartitionOfDay,
  insertEventRow,
  listEventPartitions,
} from '../../../../test/events/event-days.ts'
import type { Database } from '../../../platform/database/database.ts'
import { dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'
import { migrateSchema, migrationsDir } from '../../../platform/database/migrate.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { findFirstEvents } from '../../events/entity-events.ts'
import { countEventsByMonth } from '../../usage/store.activity.ts'

let database: Database
let previousDir: string
before(async () => {
  database = await openTestDatabase({ migrated: false })
  previousDir = await copyMigrationsBefore('0077')
})
after(async () => {
  await database?.close()
  await fs.rm(previousDir, { recursive: true, force: true })
})

/** Numbers all events, as the previous version does. */
const numberAsBefore = (organization: string) =>
  database.forOrganization(organization).transaction(async (tx) => {
    await tx.query(sql`
      insert into event_sequences (organization_id, last_sequence) values (${organization}, 0)
      on conflict (organization_id) do nothing`)
    await tx.query(sql`select from event_sequences where organization_id = ${organization} for update`)
    await tx.query(sql`
      with fresh as (
        select id, row_number() over (order by id) as offset_number from (
          select id from events where organization_id = ${organization} and sequence is null
          order by id limit 1000) as oldest
      ), numbered as (
        update events e set sequence = s.last_sequence + fresh.offset_number
        from fresh, event_sequences s
        where e.organization_id = ${organization} and e.id = fresh.id and s.organization_id = ${organization}
        returning e.sequence
      )
      update event_sequences set last_sequence = last_sequence + (select count(*) from numbered)
      where organization_id = ${organization}`)
  })

const listSequences = async (organization: string): Promise<readonly unknown[]> =>
  (
    await database.unscoped.query<{ sequence: number }>(
      sql`select sequence from events where organization_id = ${organization} order by id`,
    )
  ).map(({ sequence }) => sequence)

/** A delivery of an event, which had to refer to one before. */
async function insertDelivery(organization: string, event: string): Promise<void> {
  const subscription = newId()
  await database.unscoped.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, created_at, updated_at)
    values (${organization}, ${subscription}, 'order.created', 'https://example.org', now(), now())`)
  await database.unscoped.query(sql`
    insert into event_deliveries (organization_id, id, event_id, subscription_id, created_at, scheduled_at)
    values (${organization}, ${newId()}, ${event}, ${subscription}, now(), now())`)
}

test('events of before are one partition, which the previous version uses, and are dropped after its last day', async () => {
  await migrateSchema(database, previousDir)
  const [organization, other] = [newId(), newId()]
  const db = database.forOrganization(organization)
  const days = [-800, -60, -1, 0, 1, 40]
  const ids = days.map(idOfDay)
  for (const [index, id] of ids.entries())
    await insertEventRow(database.unscoped, organization, { id, created_at: noonOfDay(days[index]!) })
  await insertEventRow(database.unscoped, other, { id: ids[0]!, created_at: noonOfDay(-800) })
  await numberAsBefore(organization)
  await insertDelivery(organization, ids[0]!)
  await migrateSchema(database, migrationsDir)
  const partitions = await listEventPartitions(database.unscoped, organization)
  assert.deepEqual(
    ids.map((id) => partitions.get(id)),
    days.map((day) => (day > 3 ? 'events_default' : eventPartitionOfDay(Math.max(0, day)))),
  )
  assert.deepEqual(await listSequences(organization), [1, 2, 3, 4, 5, 6])

  // The previous version starts on the schema, writes events and deliveries, numbers events and runs its sweep.
  assert.deepEqual(await migrateSchema(database, previousDir), [])
  const later = idOfDay(2)
  await insertEventRow(db, organization, {
    id: later,
    entity_id: ids[0]!,
    actor_id: 'another',
    created_at: noonOfDay(0),
  })
  await insertDelivery(organization, later)
  await assert.rejects(insertEventRow(db, organization, { id: later }), /duplicate|unique/)
  await numberAsBefore(organization)
  assert.deepEqual(await listSequences(organization), [1, 2, 3, 4, 5, 7, 6])
  await database.unscoped.query(sql`select swath_create_attempt_days(3), swath_drop_attempt_days(90)`)

  assert.equal(await dropLogPartitions(database.unscoped, 'events', 1), 0)
  await database.runScript(endAttachedPartition('events', eventPartitionOfDay(0)))
  const readKept = async () => ({
    first: await findFirstEvents(
      db,
      organization,
      ids.map((id) => ({ type: 'order', id })),
    ),
    counts: (
      await countEventsByMonth(db, organization, ['order.created'], {
        from: new Date('2020-01-01T00:00:00Z'),
        to: new Date('2100-01-01T00:00:00Z'),
      })
    ).toSorted((a, b) => a.period.localeCompare(b.period)),
  })
  const expected = await readKept()
  assert.equal(expected.first.length, 4)
  assert.equal(await dropLogPartitions(database.unscoped, 'events', 1), 1)
  assert.deepEqual([...(await listEventPartitions(database.unscoped, organization)).keys()], [ids[4], later, ids[5]])
  assert.deepEqual(await readKept(), expected)
})
