import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { initialDatabaseContent } from '../../../initial-content.ts'
import { testCacheDir } from '../../../../test/database.ts'
import { createEnginePool } from '../../../../test/engine-pool.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { sql } from '../sql.ts'
import { readPgliteVersion } from './bundle.ts'
import { ensureDatabaseTemplate } from './template.ts'
import { openInMemoryDatabase, type EmbeddedDatabase } from './open.ts'
import { openDatabaseEngineThread, type DatabaseEngineThreadOpener, type DatabaseEngineThread } from './thread.ts'

let template: string
const started: DatabaseEngineThread[] = []
const countingThreadOpener: DatabaseEngineThreadOpener = async (engine, events) => {
  const thread = await openDatabaseEngineThread(engine, events)
  started.push(thread)
  return thread
}
const pool = createEnginePool(countingThreadOpener)

const openDatabase = (statement_timeout_ms = 30_000): Promise<EmbeddedDatabase> =>
  openInMemoryDatabase({ template, cacheDir: testCacheDir, statement_timeout_ms, openThread: pool.open })

before(async () => {
  template = await ensureDatabaseTemplate(testCacheDir, initialDatabaseContent)
})
after(async () => {
  for (const thread of started) await thread.end()
})

async function read(database: EmbeddedDatabase, text: string): Promise<unknown[]> {
  const { rows } = await getStatementRunner(getSchemaOwnerConnection(database)).run(text, [])
  return rows
}

/** Everything that a session can query about a database: if two agree in this, no session can distinguish them. */
const digestQueries = {
  relations: `select oid, relname, relfilenode, relpages, reltuples, relacl::text from pg_class order by oid`,
  functions: `select count(*) as count, sum(oid::bigint) as sum from pg_proc`,
  roles: `select rolname, rolsuper, rolcanlogin from pg_roles order by 1`,
  statements: `select name from pg_prepared_statements order by 1`,
  cursors: `select name from pg_cursors where not name like '' order by 1`,
  settings: `select name, setting from pg_settings order by 1`,
  custom: `select current_setting('app.organization_id', true) as organization, current_user, session_user`,
  channels: `select pg_listening_channels() as channel`,
  locks: `select locktype, mode from pg_locks where locktype = 'advisory'`,
  schemas: `select nspname from pg_namespace where not nspname like 'pg_temp%' order by 1`,
  sequences: `select schemaname, sequencename, last_value from pg_sequences order by 1, 2`,
  statistics: `select relname, n_tup_ins, n_tup_upd, n_tup_del, n_dead_tup from pg_stat_user_tables order by relname`,
  files: `select pg_database_size(current_database()) as bytes, (select count(*) from pg_ls_dir('base/pgsql_tmp', true, false)) as temporary`,
  log: `select pg_current_wal_insert_lsn()::text as place, (select count(*) from pg_ls_waldir()) as segments`,
  transaction: `select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  rows: `select (select count(*) from organizations) as organizations, (select count(*) from boss.job) as tasks`,
}

async function readDigest(database: EmbeddedDatabase): Promise<Record<string, unknown[]>> {
  const digest: Record<string, unknown[]> = {}
  for (const [name, text] of Object.entries(digestQueries)) digest[name] = await read(database, text)
  return digest
}

/** Changes everything that the digest covers, and more: large rows, files that grow, files that are removed. */
async function changeEverything(database: EmbeddedDatabase): Promise<void> {
  const run = (text: string) => getStatementRunner(getSchemaOwnerConnection(database)).script(text)
  await run(`create role intruder; create schema private; create table private.rows (id serial primary key, body text)`)
  await run(`insert into private.rows (body) select repeat(md5(g::text), 40) from generate_series(1, 20000) g`)
  await run(`create temporary table lasting (id int); create function private.f() returns int language sql return 1`)
  await run(`prepare mine as select 1; declare held cursor with hold for select * from private.rows; listen news`)
  await run(`select pg_advisory_lock(7); set work_mem = '9MB'; select set_config('app.organization_id', 'x', false)`)
  await run(`alter table organizations add column extra int; drop table boss.job cascade`)
  await run(`select setseed(0.25); checkpoint`)
  await run(`vacuum full private.rows`)
  await run(`truncate private.rows`)
  await getSchemaOwnerConnection(database).query(sql.prepared(sql`select 1 as one`))
}

test('the engine version is the one whose internals snapshot.ts was written for', () => {
  assert.equal(
    readPgliteVersion(),
    '0.5.8',
    'another engine version: check that memory, stack pointer, MEMFS and streams are still laid out as snapshot.ts expects',
  )
})

test('a database on a reused engine contains nothing of the previous one', async () => {
  const first = await openDatabase()
  const initialDigest = await readDigest(first)
  await changeEverything(first)
  assert.notDeepEqual(await read(first, digestQueries.roles), initialDigest['roles'])
  await first.close()

  for (let round = 0; round < 3; round += 1) {
    const next = await openDatabase()
    assert.deepEqual(await readDigest(next), initialDigest)
    await changeEverything(next)
    await next.close()
  }
  assert.equal(started.length, 1)
})

test('each database on a reused engine has its own random numbers', async () => {
  const seen = new Set<unknown>()
  for (let round = 0; round < 3; round += 1) {
    const database = await openDatabase()
    const [row] = (await read(database, 'select random() as number, gen_random_uuid() as id')) as Record<
      string,
      unknown
    >[]
    seen.add(row!['number']).add(row!['id'])
    // A seed that survived its database would make the next number the same for all.
    await read(database, 'select setseed(0.5)')
    await database.close()
  }
  assert.equal(seen.size, 6)
  assert.equal(started.length, 1)
})

test('closing a database inside an open or failed transaction does not affect the next one', async () => {
  for (const openStatement of ['begin; create table half (id int)', 'begin; select 1 / 0']) {
    const database = await openDatabase()
    await getSchemaOwnerConnection(database)
      .transaction(async (tx) => {
        await getStatementRunner(tx).script(openStatement.slice('begin; '.length))
        void database.close()
        throw new Error('left')
      })
      .catch(() => undefined)
    await database.close()
    const next = await openDatabase()
    assert.deepEqual(await read(next, `select 1 from pg_class where relname = 'half'`), [])
    await next.unscoped.transaction((tx) => tx.query(sql`select 1 as one`))
    await next.close()
  }
  assert.equal(started.length, 1)
})

test('two databases that are open at once have separate engines', async () => {
  const [one, other] = [await openDatabase(), await openDatabase()]
  await getStatementRunner(getSchemaOwnerConnection(one)).script('create table only_here (id int)')
  assert.deepEqual(await read(other, `select 1 from pg_class where relname = 'only_here'`), [])
  await Promise.all([one.close(), other.close()])
  assert.equal(started.length, 2)
})

test('an engine that loaded another library is not reused', async () => {
  const database = await openDatabase()
  const before = started.length
  await read(database, `select to_tsvector('english', 'satellites')`)
  await database.close()
  const [one, other] = [await openDatabase(), await openDatabase()]
  assert.equal(started.length, before + 1)
  assert.equal((await readDigest(other))['rows']?.length, 1)
  await Promise.all([one.close(), other.close()])
})

test('a terminated engine is not reused, and its database is lost', async () => {
  const before = started.length
  const database = await openDatabase(300)
  await assert.rejects(read(database, 'select pg_sleep(60)'), { failure: 'statement-too-long' })
  await assert.rejects(read(database, 'select 1'), { failure: 'database-unavailable' })
  await database.close()
  const [one, other] = [await openDatabase(), await openDatabase()]
  assert.equal(started.length, before + 1)
  await Promise.all([one.close(), other.close()])
})
