import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { copyMigrationsBefore } from '../../../test/schema/migrations-before.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrateSchema } from '../../platform/database/migrate.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { readSchemaCatalog, type SchemaCatalog } from '../../platform/database/schema/catalog.ts'
import { printSchema } from '../../platform/database/schema/print.ts'
import { findSchemaViolations } from '../../../test/schema/schema-rules.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'

let database: Database
/** The migrations of the previous version, and those with the one that is tested here. */
let previousDir: string, partitionedDir: string
before(async () => {
  database = await openTestDatabase({ migrated: false })
  ;[previousDir, partitionedDir] = [await copyMigrationsBefore('0076'), await copyMigrationsBefore('0077')]
})
after(async () => {
  await database?.close()
  for (const dir of [previousDir, partitionedDir]) await fs.rm(dir, { recursive: true, force: true })
})

const organizations = Array.from({ length: 40 }, newId)

/** An item of an organization, in a project and with an asset and a Feature of its own. */
async function createItem(organization: string, name: string): Promise<string> {
  const [project, item] = [newId(), newId()]
  await database.unscoped.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${organization}, ${project}, 'One', false, 'test', now(), now())`)
  await database.unscoped.query(sql`
    insert into items (organization_id, id, project_id, stac_id, type, name, geometry, covers_from, covers_to, created_at, updated_at)
    values (${organization}, ${item}, ${project}, ${name}, 'user_raster', ${name}, ST_MakeEnvelope(1, 2, 3, 4, 4326), now(), now(), now(), now())`)
  await database.unscoped.query(sql`
    insert into item_features (organization_id, item_id, revision, feature) values (${organization}, ${item}, 0, '{}')`)
  return item
}

/** Each item as JSON, with the organization first. */
const listItems = () =>
  database.unscoped.query<{ item: unknown }>(
    sql`select to_jsonb(i) as item from items i order by i.organization_id, i.id`,
  )

const partitionItems = (partitions: number) =>
  getSchemaOwnerConnection(database).query(sql`select swath_partition_items(${partitions}::integer)`)

const readSchema = (): Promise<SchemaCatalog> => readSchemaCatalog(getSchemaOwnerConnection(database))

/** The schema as text, as if items were one table, and without what the migration adds. */
const printUnpartitioned = (catalog: SchemaCatalog): string =>
  printSchema({
    ...catalog,
    tables: catalog.tables.map((table) => (table.name === 'items' ? { ...table, partition_key: null } : table)),
    indexes: catalog.indexes.map((index) =>
      index.table === 'items' ? { ...index, definition: index.definition.replace(' ON ONLY ', ' ON ') } : index,
    ),
    functions: catalog.functions.filter(({ name }) => !name.startsWith('swath_partition_items')),
  })

const countPartitions = ({ partitions }: SchemaCatalog): number =>
  partitions.filter(({ table }) => table === 'items').length

test('the items of before are spread over eight partitions, and all else of the table stays', async () => {
  await migrateSchema(database, previousDir)
  for (const organization of organizations) await createItem(organization, 'before')
  const [schema, items] = [await readSchema(), await listItems()]
  await migrateSchema(database, partitionedDir)
  assert.deepEqual(await listItems(), items)
  const partitioned = await readSchema()
  assert.equal(countPartitions(partitioned), 8)
  assert.equal(printUnpartitioned(partitioned), printUnpartitioned(schema))
  assert.deepEqual(findSchemaViolations(partitioned), [])

  const used = await database.unscoped.query(sql`select distinct tableoid from items`)
  assert.ok(used.length > 4, 'the organizations are spread')

  // The previous version starts on the schema and writes.
  assert.deepEqual(await migrateSchema(database, previousDir), [])
  const item = await createItem(organizations[0]!, 'after')
  await assert.rejects(
    database.unscoped.query(sql`delete from items where organization_id = ${organizations[0]!} and id = ${item}`),
    /item_features/,
  )
  await assert.rejects(
    database.unscoped.query(sql`
      insert into item_features (organization_id, item_id, revision, feature) values (${organizations[1]!}, ${item}, 0, '{}')`),
    /foreign key/,
  )
})

test('items move to another number of partitions or to one table, and to what Citus distributes', async () => {
  const items = await listItems()
  for (const partitions of [16, 0, 2, 8, 8]) {
    await partitionItems(partitions)
    const catalog = await readSchema()
    assert.equal(countPartitions(catalog), partitions)
    assert.equal(catalog.tables.find(({ name }) => name === 'items')!.partition_key !== null, partitions > 0)
    assert.deepEqual(findSchemaViolations(catalog), [])
    assert.deepEqual(await listItems(), items)
  }
  for (const partitions of [-1, 1, 65]) await assert.rejects(partitionItems(partitions), /2 to 64 partitions/)

  await database.runScript('create table pg_dist_partition (logicalrelid regclass primary key)')
  await assert.rejects(partitionItems(16), /stay one table/)
  await partitionItems(0)
  assert.deepEqual(await listItems(), items)
})
