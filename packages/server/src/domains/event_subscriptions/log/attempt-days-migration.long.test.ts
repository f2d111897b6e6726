import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/schema/migrations-before.ts'
import { endAttachedPartition } from '../../../../test/events/event-days.ts'
import { idOfDay, insertAttempt, listPartitions, partitionOfDay } from '../../../../test/events/attempt-days.ts'
import type { Database } from '../../../platform/database/database.ts'
import { migrateSchema, migrationsDir } from '../../../platform/database/migrate.ts'
import { newId } from '../../../platform/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'

let database: Database
let previousDir: string
before(async () => {
  database = await openTestDatabase({ migrated: false })
  previousDir = await copyMigrationsBefore('0074')
})
after(async () => {
  await database?.close()
  await fs.rm(previousDir, { recursive: true, force: true })
})

/** A delivery of an organization, which attempts referred to before. */
async function createDelivery(organization: string): Promise<string> {
  const [subscription, event, delivery] = [newId(), newId(), newId()]
  await database.unscoped.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, created_at, updated_at)
    values (${organization}, ${subscription}, 'item.created', 'https://example.org', now(), now())`)
  await database.unscoped.query(sql`
    insert into events (organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at)
    values (${organization}, ${event}, 'item.created', 'item', 'x', '{}', 'user', 'x', 'x', 'x', now())`)
  await database.unscoped.query(sql`
    insert into event_deliveries (organization_id, id, event_id, subscription_id, created_at, scheduled_at)
    values (${organization}, ${delivery}, ${event}, ${subscription}, now(), now())`)
  return delivery
}

test('attempts of before are one partition, which the previous version uses, and is dropped after its last day', async () => {
  await migrateSchema(database, previousDir)
  const organization = newId()
  const delivery = await createDelivery(organization)
  const days = [-800, -60, -1, 0, 1, 40]
  const ids = days.map(idOfDay)
  for (const id of ids) await insertAttempt(database.unscoped, organization, id, delivery)
  await migrateSchema(database, migrationsDir)
  const partitions = await listPartitions(database.unscoped)
  assert.deepEqual(
    ids.map((id) => partitions.get(id)),
    days.map((day) => (day > 3 ? 'event_delivery_attempts_default' : partitionOfDay(Math.max(0, day)))),
  )

  // The previous version starts on the schema, writes an attempt once, and deletes deliveries.
  assert.deepEqual(await migrateSchema(database, previousDir), [])
  const again = idOfDay(0)
  for (const id of [again, again, ids[1]!]) await insertAttempt(database.unscoped, organization, id, delivery)
  assert.equal((await listPartitions(database.unscoped)).size, ids.length + 1)
  await database.unscoped.query(sql`delete from event_deliveries where organization_id = ${organization}`)

  assert.equal(await dropLogPartitions(database.unscoped, 'event_delivery_attempts', 1), 0)
  const last_day = partitionOfDay(0)
  await database.runScript(endAttachedPartition('event_delivery_attempts', last_day))
  assert.equal(await dropLogPartitions(database.unscoped, 'event_delivery_attempts', 1), 1)
  assert.deepEqual(new Set((await listPartitions(database.unscoped)).keys()), new Set(ids.slice(-2)))
})
