import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testCacheDir } from '../../../../test/database.ts'
import { sqlState } from '../database.ts'
import { DatabaseFailure } from '../failures.ts'
import { ownerOf, runnerOf } from '../raw.ts'
import { sql } from '../sql.ts'
import type { EmbeddedDatabase } from './open.ts'
import { openEither, openEmbedded } from './open.ts'
import { openUpkeep } from './upkeep.ts'

let home: string
let database: EmbeddedDatabase

const options = (name: string) => ({
  dir: path.join(home, name),
  cacheDir: testCacheDir,
  statement_timeout_ms: 1_000,
})

before(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-embedded-'))
  database = await openEmbedded(options('main'))
  await database.runScript('create table rows (id int primary key, body text)')
})
after(async () => {
  await database.close()
  await fs.rm(home, { recursive: true, force: true })
})

const named = (failure: DatabaseFailure['failure']) => (error: unknown) =>
  error instanceof DatabaseFailure && error.failure === failure

const add = (id: number) => ownerOf(database).query(sql`insert into rows (id) values (${id})`)
const count = async (): Promise<unknown> =>
  (await ownerOf(database).query<{ count: number }>(sql`select count(*) as count from rows`))[0]?.count

test('every commit is synced to disk', async () => {
  for (let at = 0; at < 10; at += 1) {
    const before = database.facts().syncs
    await add(at)
    assert.ok(database.facts().syncs > before)
  }
})

test('refused statements do not leak resources', async () => {
  for (let at = 0; at < 5_000; at += 1) {
    await assert.rejects(add(0), (error) => sqlState(error) === '23505')
  }
  assert.equal(database.facts().reopened, 0)
  assert.equal(await count(), 10)
})

test('a statement beyond its timeout reopens the engine, and queued statements still run', async () => {
  const { reopened } = database.facts()
  const kept = () => ownerOf(database).query(sql.kept(sql`select id from rows where id = ${3}`))
  await kept()
  const slow = ownerOf(database).query(sql`select pg_sleep(60)`)
  const behind = [add(20), add(21), kept()]
  const transaction = ownerOf(database).transaction(async (tx) => {
    await tx.query(sql`insert into rows (id) values (22)`)
  })
  await assert.rejects(slow, named('statement-too-long'))
  await Promise.all([...behind, transaction])
  assert.equal(database.facts().reopened, reopened + 1)
  assert.equal(await count(), 13)
})

test('a transaction that was open during a reopening is lost completely', async () => {
  const work = ownerOf(database).transaction(async (tx) => {
    await tx.query(sql`insert into rows (id) values (30)`)
    await tx.query(sql`select pg_sleep(60)`).catch(() => undefined)
    await tx.query(sql`insert into rows (id) values (31)`)
  })
  await assert.rejects(work, named('transaction-lost'))
  assert.equal(await count(), 13)
})

test('a broken engine is replaced', async () => {
  const { reopened } = database.facts()
  await assert.rejects(ownerOf(database).query(sql`select repeat('[', 1000000)::json`), named('outcome-unknown'))
  assert.equal(await count(), 13)
  assert.equal(database.facts().reopened, reopened + 1)
})

test('deeply nested JSON is an ordinary SQL error', async () => {
  const { reopened } = database.facts()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  await assert.rejects(ownerOf(database).query(sql`select ${deep}::jsonb`), (error) => sqlState(error) === '54001')
  assert.deepEqual(await ownerOf(database).query(sql`select 1 as one`), [{ one: 1 }])
  assert.equal(database.facts().reopened, reopened)
})

test('maintenance vacuums tables with dead rows', async () => {
  await ownerOf(database).query(sql`insert into rows (id) select n from generate_series(1000, 6000) as n`)
  await ownerOf(database).query(sql`update rows set body = repeat('x', 100)`)
  await ownerOf(database).query(sql`select pg_stat_force_next_flush()`)
  const rules = { checkpoint_bytes: 100_000, checkpoint_ms: 3_600_000, dead_rows: 100, dead_share: 0.2 }
  const report = await database.upkeep(rules)
  assert.ok(report.vacuumed.includes('public.rows'), JSON.stringify(report))
  const [row] = await ownerOf(database).query<{ dead: number }>(sql`
    select n_dead_tup as dead from pg_stat_user_tables where relname = 'rows'`)
  assert.equal(row!.dead, 0)
  assert.deepEqual((await database.upkeep(rules)).vacuumed, [])
})

test('a checkpoint runs only after the write-ahead log has grown enough', async () => {
  const rules = { checkpoint_bytes: 500_000, checkpoint_ms: 3_600_000, dead_rows: 1e9, dead_share: 1 }
  const upkeep = openUpkeep(runnerOf(ownerOf(database)), rules)
  assert.equal((await upkeep.run()).checkpoint, false)
  await ownerOf(database).query(sql`update rows set body = repeat('y', 200)`)
  assert.equal((await upkeep.run()).checkpoint, true)
  assert.equal((await upkeep.run()).checkpoint, false)
})

test('a data folder is locked by one process, also when opened through a symbolic link', async () => {
  await assert.rejects(openEmbedded(options('main')), (error) => {
    assert.ok(named('folder-in-use')(error))
    assert.match((error as Error).message, new RegExp(`is in use by process ${process.pid} since \\d{4}-`))
    return true
  })
  await fs.symlink(path.join(home, 'main'), path.join(home, 'other'))
  await assert.rejects(openEmbedded(options('other')), named('folder-in-use'))
})

test('a folder with other contents, or of another PostgreSQL version, is rejected and left unchanged', async () => {
  const dir = path.join(home, 'photos')
  await fs.mkdir(dir)
  await fs.writeFile(path.join(dir, 'cat.jpg'), 'meow')
  await assert.rejects(openEmbedded(options('photos')), named('folder-unusable'))
  assert.deepEqual(await fs.readdir(dir), ['cat.jpg'])
  await fs.rm(path.join(dir, 'cat.jpg'))
  await fs.writeFile(path.join(dir, 'PG_VERSION'), '9.6\n')
  await assert.rejects(openEmbedded(options('photos')), (error) => {
    assert.match((error as Error).message, /written by PostgreSQL 9\.6, this program uses 18/)
    return named('folder-unusable')(error)
  })
})

test('incomplete folders of interrupted starts are removed, complete ones are kept', async () => {
  const dir = path.join(home, 'fresh')
  await fs.mkdir(`${dir}.tmp-12345`)
  await fs.mkdir(`${dir}.tmp`)
  await fs.mkdir(`${dir}er`)
  await fs.mkdir(dir)
  const fresh = await openEmbedded(options('fresh'))
  await fresh.runScript('create table kept (id int)')
  await fresh.close()
  const names = (await fs.readdir(home)).filter((name) => name.startsWith('fresh')).sort()
  assert.deepEqual(names, ['fresh', 'fresh.lock', 'fresh.tmp', 'fresher'])
  const again = await openEmbedded(options('fresh'))
  assert.deepEqual(await ownerOf(again).query(sql`select count(*) as count from kept`), [{ count: 0 }])
  await again.close()
})

test('an invalid trimmed bundle falls back to the packaged one', async () => {
  const bad = path.join(home, 'bad.tar')
  await fs.writeFile(bad, 'not an archive')
  const warnings: string[] = []
  const log = { warn: (_fields: object, message: string) => void warnings.push(message), info: () => undefined }
  const dir = path.join(home, 'fresh')
  const bridge = await openEither({ ...options('fresh'), log }, dir, pathToFileURL(bad).href)
  await bridge.close()
  assert.deepEqual(warnings, ['the trimmed PostGIS bundle cannot be used; using the packaged one'])
})

test('statements during and after close are rejected, not forgotten', async () => {
  const closing = await openEmbedded(options('closing'))
  const ended = closing.close()
  const late = Array.from({ length: 20 }, () => ownerOf(closing).query(sql`select 1`))
  const outcomes = await Promise.allSettled(late)
  await ended
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.ok(named('database-closed')(outcome.reason), String(outcome.reason))
  }
  await assert.rejects(ownerOf(closing).query(sql`select 1`), named('database-closed'))
})
