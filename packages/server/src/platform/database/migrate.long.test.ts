import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import type { Database } from './database.ts'
import { getSqlState } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import { migrateSchema, migrationsDir, readMigrations } from './migrate.ts'
import { getSchemaOwnerConnection } from './raw.ts'
import { resetDatabase } from './reset.ts'
import { sql } from './sql.ts'

let database: Database
let dir: string

before(async () => {
  database = await openTestDatabase({ migrated: false })
})
after(() => database.close())

beforeEach(async () => {
  await database.runScript('drop table if exists schema_migrations, one, two, three, four cascade')
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-migrations-'))
  await writeMigration('0001_one.sql', 'create table one (id int); create table two (id int)')
  await writeMigration('0002_three.sql', 'create table three (id int)')
})

afterEach(() => fs.rm(dir, { recursive: true, force: true }))

const writeMigration = (name: string, text: string): Promise<void> => fs.writeFile(path.join(dir, name), text)

const tables = async (): Promise<unknown[]> => {
  const rows = await getSchemaOwnerConnection(database).query<{ name: string }>(sql`
    select name from unnest(${['one', 'two', 'three', 'four']}::text[]) as name where to_regclass(name) is not null`)
  return rows.map((row) => row.name)
}

const migrationRefused = (pattern: RegExp) => (error: unknown) =>
  error instanceof DatabaseFailure && error.failure === 'migration-refused' && pattern.test(error.message)

test('migrations run once, in their order', async () => {
  assert.deepEqual(await migrateSchema(database, dir), ['0001_one.sql', '0002_three.sql'])
  assert.deepEqual(await tables(), ['one', 'two', 'three'])
  assert.deepEqual(await migrateSchema(database, dir), [])
})

test('concurrent processes apply each migration once', async () => {
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateSchema(database, dir)))
  assert.deepEqual(applied.flat().sort(), ['0001_one.sql', '0002_three.sql'])
})

test('a migration that fails is rolled back, and earlier ones stay', async () => {
  await writeMigration('0002_three.sql', 'create table three (id int); select 1 / 0')
  await assert.rejects(migrateSchema(database, dir), (error) => getSqlState(error) === '22012')
  assert.deepEqual(await tables(), ['one', 'two'])
  await writeMigration('0002_three.sql', 'create table three (id int)')
  assert.deepEqual(await migrateSchema(database, dir), ['0002_three.sql'])
})

test('a migration that was changed, removed or inserted afterwards is rejected', async () => {
  await migrateSchema(database, dir)
  await writeMigration('0001_one.sql', 'create table one (id bigint)')
  await assert.rejects(migrateSchema(database, dir), migrationRefused(/0001_one\.sql was changed/))
  await fs.rm(path.join(dir, '0001_one.sql'))
  await assert.rejects(
    migrateSchema(database, dir),
    migrationRefused(/0001_one\.sql was applied and its file is missing/),
  )
  await writeMigration('0001_one.sql', 'create table one (id int); create table two (id int)')
  await getSchemaOwnerConnection(database).query(sql`update schema_migrations set number = 3 where number = 2`)
  await fs.rename(path.join(dir, '0002_three.sql'), path.join(dir, '0003_three.sql'))
  await writeMigration('0002_late.sql', 'create table four (id int)')
  await assert.rejects(migrateSchema(database, dir), migrationRefused(/0002_late\.sql comes before/))
  assert.deepEqual(await tables(), ['one', 'two', 'three'])
})

test('a program starts on the schema of the next version, unless a migration says that it cannot', async () => {
  const previous = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-migrations-'))
  try {
    await fs.cp(dir, previous, { recursive: true })
    await writeMigration('0003_four.sql', 'create table four (id int)')
    assert.equal((await migrateSchema(database, dir)).length, 3)
    assert.deepEqual(await migrateSchema(database, previous), [])
    await writeMigration('0004_drop.sql', '-- min program: 0003\ndrop table four')
    await migrateSchema(database, dir)
    await assert.rejects(migrateSchema(database, previous), migrationRefused(/0004_drop\.sql .* needs a later program/))
    assert.deepEqual(await migrateSchema(database, dir), [])
  } finally {
    await fs.rm(previous, { recursive: true, force: true })
  }
})

test('a table of migrations from before the column min_program is read, and gets it with the next migration', async () => {
  await migrateSchema(database, dir)
  await database.runScript('alter table schema_migrations drop column min_program')
  assert.deepEqual(await migrateSchema(database, dir), [])
  await writeMigration('0003_four.sql', '-- min program: 0002\ncreate table four (id int)')
  assert.deepEqual(await migrateSchema(database, dir), ['0003_four.sql'])
  assert.deepEqual(
    await getSchemaOwnerConnection(database).query(
      sql`select number, min_program from schema_migrations order by number`,
    ),
    [
      { number: 1, min_program: null },
      { number: 2, min_program: null },
      { number: 3, min_program: 2 },
    ],
  )
})

test('invalid file names and duplicate numbers are rejected', async () => {
  await writeMigration('0002_other.sql', 'select 1')
  await assert.rejects(readMigrations(dir), migrationRefused(/have the same number/))
  await fs.rm(path.join(dir, '0002_other.sql'))
  await writeMigration('3-words.sql', 'select 1')
  await assert.rejects(readMigrations(dir), migrationRefused(/is not a valid migration name/))
})

test('all migrations of the server run on an empty database, and again after a reset', async () => {
  const empty = await openTestDatabase({ migrated: false })
  try {
    const names = (await readMigrations(migrationsDir)).map((migration) => migration.name)
    assert.deepEqual(await migrateSchema(empty, migrationsDir), names)
    assert.equal(empty.spatial_policy, 'leakproof')
    await empty.runScript('create schema boss; create table boss.job (id int); insert into boss.job values (1)')
    await resetDatabase(empty, migrationsDir)
    assert.deepEqual(await getSchemaOwnerConnection(empty).query(sql`select to_regclass('boss.job')::text as job`), [
      { job: null },
    ])
    assert.deepEqual(await migrateSchema(empty, migrationsDir), [])
  } finally {
    await empty.close()
  }
})

test('a later migration of several statements changes tables of organizations, where they are distributed, too', async () => {
  const migrated = await openTestDatabase()
  try {
    await fs.cp(migrationsDir, dir, { recursive: true })
    for (const name of ['0001_one.sql', '0002_three.sql']) await fs.rm(path.join(dir, name))
    await writeMigration(
      '9999_later.sql',
      `alter table projects add column later text;
       create index projects_later on projects (organization_id, later);
       update projects set later = name;
       alter table projects alter column later set default '';
       create table later_rows (organization_id uuid not null, id uuid not null, primary key (organization_id, id));
       select swath_tenant_table('later_rows');`,
    )
    assert.deepEqual(await migrateSchema(migrated, dir), ['9999_later.sql'])
    assert.deepEqual(await migrated.forOrganization(newId()).query(sql`select later from projects`), [])
  } finally {
    await migrated.close()
  }
})
