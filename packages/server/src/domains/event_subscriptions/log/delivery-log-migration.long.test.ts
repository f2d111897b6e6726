import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/schema/migrations-before.ts'
import type { Database } from '../../../platform/database/database.ts'
import { migrateSchema, migrationsDir } from '../../../platform/database/migrate.ts'
import { getSchemaOwnerConnection } from '../../../platform/database/raw.ts'
import { readSchemaCatalog } from '../../../platform/database/schema/catalog.ts'
import { dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'
import { findSchemaViolations } from '../../../../test/schema/schema-rules.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { findEventDelivery, listEventDeliveries } from '../store.deliveries.ts'
import { moveEndedEventDeliveriesToLog } from './store.log.ts'

let database: Database
let previousDir: string
before(async () => {
  database = await openTestDatabase({ migrated: false })
  previousDir = await copyMigrationsBefore('0078')
})
after(async () => {
  await database?.close()
  await fs.rm(previousDir, { recursive: true, force: true })
})

const [organization, subscription] = [newId(), newId()]

/** A delivery as the previous version writes it: in the queue, whether it ended or not. */
async function insertDelivery(state: string, sequence: number | null): Promise<string> {
  const [event, delivery] = [newId(), newId()]
  const isOpen = state === 'pending' || state === 'retrying'
  await database.unscoped.query(sql`
    insert into events (organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at)
    values (${organization}, ${event}, 'item.created', 'item', 'x', '{}', 'user', 'x', 'x', 'x', now())`)
  await database.unscoped.query(sql`
    insert into event_deliveries
      (organization_id, id, event_id, subscription_id, state, attempts, next_at, created_at, scheduled_at, finished_at, sequence)
    values (${organization}, ${delivery}, ${event}, ${subscription}, ${state}, 2, ${isOpen ? new Date() : null}, now(), now(),
      ${isOpen ? null : new Date()}, ${sequence})`)
  return delivery
}

const listAll = () =>
  listEventDeliveries(database.unscoped, { organization, subscription, state: null, before: null, limit: 100 })

const countRows = async (table: 'event_deliveries' | 'event_delivery_log'): Promise<number> =>
  (await database.unscoped.query(sql`select id from ${sql.identifier(table, [table])}`)).length

test('deliveries that ended before are the first day of the log; the previous version uses the queue', async () => {
  await migrateSchema(database, previousDir)
  await database.unscoped.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, created_at, updated_at)
    values (${organization}, ${subscription}, 'item.created', 'https://example.org', now(), now())`)
  const states = ['succeeded', 'dead', 'cancelled', 'pending', 'retrying', 'succeeded']
  const ids: string[] = []
  for (const [index, state] of states.entries()) ids.push(await insertDelivery(state, index))
  const columns = sql`
    id, event_id, subscription_id, state, attempts, created_at, scheduled_at, attempt_id, finished_at, sequence`
  const rows = await database.unscoped.query(sql`select ${columns} from event_deliveries order by id`)

  await migrateSchema(database, migrationsDir)
  assert.deepEqual([await countRows('event_deliveries'), await countRows('event_delivery_log')], [2, 4])
  const stored = sql`(
    select ${columns} from event_deliveries union all select ${columns} from event_delivery_log) d`
  assert.deepEqual(await database.unscoped.query(sql`select * from ${stored} order by id`), rows)
  assert.deepEqual(findSchemaViolations(await readSchemaCatalog(getSchemaOwnerConnection(database))), [])
  assert.deepEqual(
    (await listAll()).map(({ id }) => id),
    ids.toReversed(),
  )
  assert.equal((await findEventDelivery(database.unscoped, organization, ids[1]!))?.state, 'dead')

  // The previous version starts on the schema, and ends deliveries in the queue.
  assert.deepEqual(await migrateSchema(database, previousDir), [])
  const late = await insertDelivery('succeeded', 9)
  await database.unscoped.query(sql`
    update event_deliveries set state = 'dead', next_at = null, finished_at = now() where id = ${ids[3]!}`)
  assert.equal((await findEventDelivery(database.unscoped, organization, late))?.sequence, 9)
  await database.unscoped.transaction((tx) => moveEndedEventDeliveriesToLog(tx, organization, 100))
  assert.deepEqual([await countRows('event_deliveries'), await countRows('event_delivery_log')], [1, 6])
  assert.equal((await listAll()).length, 7)

  // The first day has all that ended before the migration, and is dropped like any other.
  assert.equal(await dropLogPartitions(database.unscoped, 'event_delivery_log', 1), 0)
  const today = `event_delivery_log_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  await database.runScript(`
    alter table event_delivery_log detach partition ${today};
    update ${today} set log_id = swath_first_id((now() at time zone 'UTC')::date - 3);
    do $$
    begin
      execute format('alter table event_delivery_log attach partition ${today} for values from (minvalue) to (%L)',
        swath_first_id((now() at time zone 'UTC')::date - 1));
    end
    $$`)
  assert.equal(await dropLogPartitions(database.unscoped, 'event_delivery_log', 1), 1)
  assert.deepEqual(
    (await listAll()).map(({ id }) => id),
    [ids[4]],
  )
})
