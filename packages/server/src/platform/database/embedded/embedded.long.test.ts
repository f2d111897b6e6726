import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testCacheDir } from '../../../../test/database.ts'
import { getSqlState } from '../database.ts'
import { DatabaseFailure } from '../failures.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { sql } from '../sql.ts'
import type { EmbeddedDatabase } from './open.ts'
import { openWithFallbackBundle, openEmbeddedPostgres } from './open.ts'
import { createDatabaseMaintenance } from './maintenance.ts'

let folder: string
let database: EmbeddedDatabase

const options = (name: string) => ({
  dir: path.join(folder, name),
  cacheDir: testCacheDir,
  statement_timeout_ms: 1_000,
})

before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-embedded-'))
  database = await openEmbeddedPostgres(options('main'))
  await database.runScript('create table rows (id int primary key, body text)')
})
after(async () => {
  await database.close()
  await fs.rm(folder, { recursive: true, force: true })
})

const failsWith = (failure: DatabaseFailure['failure']) => (error: unknown) =>
  error instanceof DatabaseFailure && error.failure === failure

const add = (id: number) => getSchemaOwnerConnection(database).query(sql`insert into rows (id) values (${id})`)
const count = async (): Promise<unknown> =>
  (await getSchemaOwnerConnection(database).query<{ count: number }>(sql`select count(*) as count from rows`))[0]?.count

test('every commit is synced to disk', async () => {
  for (let at = 0; at < 10; at += 1) {
    const before = database.counters().syncs
    await add(at)
    assert.ok(database.counters().syncs > before)
  }
})

test('refused statements do not leak resources', async () => {
  for (let at = 0; at < 5_000; at += 1) {
    await assert.rejects(add(0), (error) => getSqlState(error) === '23505')
  }
  assert.equal(database.counters().reopened, 0)
  assert.equal(await count(), 10)
})

test('a statement beyond its timeout reopens the engine, and queued statements still run', async () => {
  const { reopened } = database.counters()
  const runPrepared = () =>
    getSchemaOwnerConnection(database).query(sql.prepared(sql`select id from rows where id = ${3}`))
  await runPrepared()
  const slow = getSchemaOwnerConnection(database).query(sql`select pg_sleep(60)`)
  const queued = [add(20), add(21), runPrepared()]
  const transaction = getSchemaOwnerConnection(database).transaction(async (tx) => {
    await tx.query(sql`insert into rows (id) values (22)`)
  })
  await assert.rejects(slow, failsWith('statement-too-long'))
  await Promise.all([...queued, transaction])
  assert.equal(database.counters().reopened, reopened + 1)
  assert.equal(await count(), 13)
})

test('a transaction that was open during a reopening is lost completely', async () => {
  const work = getSchemaOwnerConnection(database).transaction(async (tx) => {
    await tx.query(sql`insert into rows (id) values (30)`)
    await tx.query(sql`select pg_sleep(60)`).catch(() => undefined)
    await tx.query(sql`insert into rows (id) values (31)`)
  })
  await assert.rejects(work, failsWith('transaction-lost'))
  assert.equal(await count(), 13)
})

test('a broken engine is replaced', async () => {
  const { reopened } = database.counters()
  await assert.rejects(
    getSchemaOwnerConnection(database).query(sql`select repeat('[', 1000000)::json`),
    failsWith('outcome-unknown'),
  )
  assert.equal(await count(), 13)
  assert.equal(database.counters().reopened, reopened + 1)
})

test('deeply nested JSON is an ordinary SQL error', async () => {
  const { reopened } = database.counters()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  await assert.rejects(
    getSchemaOwnerConnection(database).query(sql`select ${deep}::jsonb`),
    (error) => getSqlState(error) === '54001',
  )
  assert.deepEqual(await getSchemaOwnerConnection(database).query(sql`select 1 as one`), [{ one: 1 }])
  assert.equal(database.counters().reopened, reopened)
})

test('maintenance vacuums tables with dead rows', async () => {
  await getSchemaOwnerConnection(database).query(
    sql`insert into rows (id) select n from generate_series(1000, 6000) as n`,
  )
  await getSchemaOwnerConnection(database).query(sql`update rows set body = repeat('x', 100)`)
  await getSchemaOwnerConnection(database).query(sql`select pg_stat_force_next_flush()`)
  const maintenanceRules = { checkpoint_bytes: 100_000, checkpoint_ms: 3_600_000, dead_rows: 100, dead_share: 0.2 }
  const report = await database.maintain(maintenanceRules)
  assert.ok(report.vacuumed.includes('public.rows'), JSON.stringify(report))
  const [row] = await getSchemaOwnerConnection(database).query<{ dead: number }>(sql`
    select n_dead_tup as dead from pg_stat_user_tables where relname = 'rows'`)
  assert.equal(row!.dead, 0)
  assert.deepEqual((await database.maintain(maintenanceRules)).vacuumed, [])
})

test('a checkpoint runs only after the write-ahead log has grown enough', async () => {
  const maintenanceRules = { checkpoint_bytes: 500_000, checkpoint_ms: 3_600_000, dead_rows: 1e9, dead_share: 1 }
  const maintenance = createDatabaseMaintenance(
    getStatementRunner(getSchemaOwnerConnection(database)),
    maintenanceRules,
  )
  assert.equal((await maintenance.runDue()).checkpoint, false)
  await getSchemaOwnerConnection(database).query(sql`update rows set body = repeat('y', 200)`)
  assert.equal((await maintenance.runDue()).checkpoint, true)
  assert.equal((await maintenance.runDue()).checkpoint, false)
})

test('a data folder is locked by one process, also when opened through a symbolic link', async () => {
  await assert.rejects(openEmbeddedPostgres(options('main')), (error) => {
    assert.ok(failsWith('folder-in-use')(error))
    assert.match((error as Error).message, new RegExp(`is in use by process ${process.pid} since \\d{4}-`))
    return true
  })
  await fs.symlink(path.join(folder, 'main'), path.join(folder, 'other'))
  await assert.rejects(openEmbeddedPostgres(options('other')), failsWith('folder-in-use'))
})

test('a folder with other contents, or of another PostgreSQL version, is rejected and left unchanged', async () => {
  const dir = path.join(folder, 'photos')
  await fs.mkdir(dir)
  await fs.writeFile(path.join(dir, 'cat.jpg'), 'meow')
  await assert.rejects(openEmbeddedPostgres(options('photos')), failsWith('folder-unusable'))
  assert.deepEqual(await fs.readdir(dir), ['cat.jpg'])
  await fs.rm(path.join(dir, 'cat.jpg'))
  await fs.writeFile(path.join(dir, 'PG_VERSION'), '9.6\n')
  await assert.rejects(openEmbeddedPostgres(options('photos')), (error) => {
    assert.match((error as Error).message, /written by PostgreSQL 9\.6, this program uses 18/)
    return failsWith('folder-unusable')(error)
  })
})

test('incomplete folders of interrupted starts are removed, complete ones remain', async () => {
  const dir = path.join(folder, 'fresh')
  await fs.mkdir(`${dir}.tmp-12345`)
  await fs.mkdir(`${dir}.tmp`)
  await fs.mkdir(`${dir}er`)
  await fs.mkdir(dir)
  const fresh = await openEmbeddedPostgres(options('fresh'))
  await fresh.runScript('create table kept (id int)')
  await fresh.close()
  const names = (await fs.readdir(folder)).filter((name) => name.startsWith('fresh')).sort()
  assert.deepEqual(names, ['fresh', 'fresh.lock', 'fresh.tmp', 'fresher'])
  const reopenedDatabase = await openEmbeddedPostgres(options('fresh'))
  assert.deepEqual(await getSchemaOwnerConnection(reopenedDatabase).query(sql`select count(*) as count from kept`), [
    { count: 0 },
  ])
  await reopenedDatabase.close()
})

test('an invalid trimmed bundle falls back to the packaged one', async () => {
  const bad = path.join(folder, 'bad.tar')
  await fs.writeFile(bad, 'not an archive')
  const warnings: string[] = []
  const log = { warn: (_fields: object, message: string) => void warnings.push(message), info: () => undefined }
  const dir = path.join(folder, 'fresh')
  const engineClient = await openWithFallbackBundle({ ...options('fresh'), log }, dir, pathToFileURL(bad).href)
  await engineClient.close()
  assert.deepEqual(warnings, ['the trimmed PostGIS bundle cannot be used; using the packaged one'])
})

test('statements during and after close are rejected, not forgotten', async () => {
  const closing = await openEmbeddedPostgres(options('closing'))
  const closed = closing.close()
  const lateQueries = Array.from({ length: 20 }, () => getSchemaOwnerConnection(closing).query(sql`select 1`))
  const results = await Promise.allSettled(lateQueries)
  await closed
  for (const result of results) {
    if (result.status === 'rejected') assert.ok(failsWith('database-closed')(result.reason), String(result.reason))
  }
  await assert.rejects(getSchemaOwnerConnection(closing).query(sql`select 1`), failsWith('database-closed'))
})
