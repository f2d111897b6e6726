import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import type { Database, Tx } from './database.ts'
import { getSqlState } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import { sql } from './sql.ts'

let database: Database
const [ownOrganization, otherOrganization] = [newId(), newId()]

before(async () => {
  database = await openTestDatabase({ statement_timeout_ms: 700, search_timeout_ms: 100 })
  await database.runScript(`
    create table notes (organization_id uuid not null, id uuid not null, body text unique, primary key (organization_id, id));
    select swath_tenant_table('notes');
    create table facts (organization_id uuid not null, id uuid not null, primary key (organization_id, id));
    select swath_tenant_table('facts', 'select, insert');
    create table colours (name text primary key);
    select swath_shared_table('colours');
    create table ways (key text primary key, organization_id uuid not null);
    select swath_directory_table('ways');`)
})
after(() => database.close())

const failsWith = (failure: DatabaseFailure['failure']) => (error: unknown) =>
  error instanceof DatabaseFailure && error.failure === failure

const hasSqlState = (state: string) => (error: unknown) => getSqlState(error) === state

const addNote = (tx: Pick<Tx, 'query'>, organization: string, body: string) =>
  tx.query(sql`insert into notes (organization_id, id, body) values (${organization}, ${newId()}, ${body})`)

const countNotes = async (body: string): Promise<unknown> => {
  const [row] = await database.unscoped.query<{ count: number }>(
    sql`select count(*) as count from notes where body = ${body}`,
  )
  return row?.count
}

test('a prepared statement respects the row-level security of each session and survives refused executions', async () => {
  const body = newId()
  const kept = (organization: string) =>
    sql.prepared(sql`select body from notes where body = ${body} or id = ${organization}`)
  await addNote(database.forOrganization(ownOrganization), ownOrganization, body)
  for (let round = 0; round < 8; round += 1) {
    assert.deepEqual(await database.unscoped.query(kept(ownOrganization)), [{ body }])
    assert.deepEqual(await database.forOrganization(otherOrganization).query(kept(ownOrganization)), [])
    assert.deepEqual(
      await database.forOrganization(ownOrganization).transaction((tx) => tx.query(kept(otherOrganization))),
      [{ body }],
    )
  }
  await assert.rejects(database.forOrganization(ownOrganization).query(kept('nobody')), hasSqlState('22P02'))
  const unheard = () =>
    database.forOrganization(ownOrganization).query(sql.prepared(sql`select 1 from nowhere where body = ${body}`))
  await assert.rejects(unheard, hasSqlState('42P01'))
  await assert.rejects(unheard, hasSqlState('42P01'))
  await database.runScript('alter table notes add column colour text')
  assert.deepEqual(await database.forOrganization(ownOrganization).query(kept(ownOrganization)), [{ body }])
})

test(
  'only a generic statement is executed with a generic plan',
  skipOnCitus('no statement is kept prepared'),
  async () => {
    const mode = sql`select current_setting('plan_cache_mode') as mode, ${ownOrganization}::uuid as id`
    const modes = [mode, sql.prepared(mode), sql.generic(mode), mode, sql.generic(mode)].map((statement) =>
      database.forOrganization(ownOrganization).query<{ mode: string }>(statement),
    )
    assert.deepEqual(
      (await Promise.all(modes)).map(([row]) => row?.mode),
      ['auto', 'auto', 'force_generic_plan', 'auto', 'force_generic_plan'],
    )
  },
)

test('values of every type round-trip on both databases', async () => {
  const at = new Date(Date.UTC(2026, 10, 21, 10, 0, 0, 123))
  const [row] = await database.unscoped.query(sql`
    select ${7}::int8 as small, ${9007199254740993n}::int8 as large, ${1.25}::float8 as real, ${'1.10'}::numeric as exact,
      ${true}::boolean as yes, ${at}::timestamptz as at, ${'2026-11-21'}::date as day, ${new Uint8Array([1, 0, 254])}::bytea as bytes,
      ${ownOrganization}::uuid as id, ${sql.json({ a: [1, { b: null }] })}::jsonb as json, ${['a', 'b,"c']}::text[] as words,
      ${[1, 2]}::int[] as numbers, ${[ownOrganization]}::uuid[] as ids, null::text as nothing, 'infinity'::float8 as endless, count(*) as count`)
  assert.deepEqual(row, {
    small: 7,
    large: 9007199254740993n,
    real: 1.25,
    exact: '1.10',
    yes: true,
    at,
    day: '2026-11-21',
    bytes: new Uint8Array([1, 0, 254]),
    id: ownOrganization,
    json: { a: [1, { b: null }] },
    words: ['a', 'b,"c'],
    numbers: [1, 2],
    ids: [ownOrganization],
    nothing: null,
    endless: Number.POSITIVE_INFINITY,
    count: 1,
  })
})

test('a refused statement reports its SQLSTATE and its constraint', async () => {
  const body = newId()
  await addNote(database.forOrganization(ownOrganization), ownOrganization, body)
  await assert.rejects(addNote(database.forOrganization(ownOrganization), ownOrganization, body), {
    code: '23505',
    constraint: 'notes_body_key',
    table: 'notes',
  })
  await assert.rejects(database.unscoped.query(sql`select nonsense`), hasSqlState('42703'))
})

test('a transaction commits when its work resolves and rolls back when it throws', async () => {
  const [kept, rolledBack] = [newId(), newId()]
  const callbacks: string[] = []
  const result = await database.forOrganization(ownOrganization).transaction(async (tx) => {
    tx.afterCommit(() => callbacks.push('kept'))
    await addNote(tx, ownOrganization, kept)
    assert.deepEqual(callbacks, [])
    return 'done'
  })
  assert.equal(result, 'done')
  await assert.rejects(
    database.forOrganization(ownOrganization).transaction(async (tx) => {
      tx.afterCommit(() => callbacks.push('dropped'))
      await addNote(tx, ownOrganization, rolledBack)
      throw new Error('no')
    }),
    /^Error: no$/,
  )
  assert.deepEqual([await countNotes(kept), await countNotes(rolledBack)], [1, 0])
  assert.deepEqual(callbacks, ['kept'])
})

test('a transaction with a swallowed statement error rejects instead of reporting a commit', async () => {
  const body = newId()
  const work = database.forOrganization(ownOrganization).transaction(async (tx) => {
    await addNote(tx, ownOrganization, body)
    await tx.query(sql`select 1 / 0`).catch(() => undefined)
  })
  await assert.rejects(work, failsWith('transaction-rolled-back'))
  assert.equal(await countNotes(body), 0)
})

test('a tx used after the end of its transaction is rejected', async () => {
  let kept: Tx | undefined
  await database.forOrganization(ownOrganization).transaction(async (tx) => {
    kept = tx
  })
  await assert.rejects(addNote(kept!, ownOrganization, newId()), failsWith('transaction-over'))
})

test('an afterCommit callback that throws does not undo the commit', async () => {
  const body = newId()
  await database.forOrganization(ownOrganization).transaction(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('callback failed')
    })
    await addNote(tx, ownOrganization, body)
  })
  assert.equal(await countNotes(body), 1)
})

test('a connection of an organization reads and changes only the rows of that organization', async () => {
  const body = newId()
  await addNote(database.forOrganization(ownOrganization), ownOrganization, body)
  const selectNote = sql`select body from notes where body = ${body}`
  assert.equal((await database.forOrganization(ownOrganization).query(selectNote)).length, 1)
  assert.equal((await database.forOrganization(otherOrganization).query(selectNote)).length, 0)
  assert.equal((await database.unscoped.query(selectNote)).length, 1)
  await database.forOrganization(otherOrganization).query(sql`update notes set body = 'taken' where body = ${body}`)
  await database.forOrganization(otherOrganization).query(sql`delete from notes where body = ${body}`)
  assert.equal(await countNotes(body), 1)
  await assert.rejects(
    addNote(database.forOrganization(otherOrganization), ownOrganization, newId()),
    hasSqlState('42501'),
  )
  await assert.rejects(
    database
      .forOrganization(ownOrganization)
      .query(sql`update notes set organization_id = ${otherOrganization} where body = ${body}`),
    hasSqlState('42501'),
  )
})

test('concurrent connections of many organizations never see rows of another one', async () => {
  const organizations = Array.from({ length: 20 }, () => newId())
  await Promise.all(
    organizations.map((organization) => addNote(database.forOrganization(organization), organization, newId())),
  )
  const checkIsolation = async (organization: string): Promise<void> => {
    const rows = await database
      .forOrganization(organization)
      .query<{ organization_id: string }>(sql`select organization_id from notes`)
    assert.deepEqual(rows, [{ organization_id: organization }])
    await database.forOrganization(organization).transaction(async (tx) => {
      assert.equal((await tx.query(sql`select 1 from notes`)).length, 1)
    })
  }
  await Promise.all(Array.from({ length: 10 }, () => organizations.map(checkIsolation)).flat())
})

test('the app role has exactly the privileges of the table declaration', async () => {
  const id = newId()
  const db = database.forOrganization(ownOrganization)
  await db.query(sql`insert into facts (organization_id, id) values (${ownOrganization}, ${id})`)
  await assert.rejects(db.query(sql`delete from facts where id = ${id}`), hasSqlState('42501'))
  await assert.rejects(db.query(sql`update facts set id = ${newId()} where id = ${id}`), hasSqlState('42501'))
  assert.deepEqual(await db.query(sql`select * from colours`), [])
  await assert.rejects(db.query(sql`insert into colours values ('red')`), hasSqlState('42501'))
  await assert.rejects(db.query(sql`select * from ways`), hasSqlState('42501'))
  await assert.rejects(db.query(sql`select * from schema_migrations`), hasSqlState('42501'))
  await assert.rejects(db.query(sql`create table mine (id int)`), hasSqlState('42501'))
  await assert.rejects(db.query(sql`alter table notes disable row level security`), hasSqlState('42501'))
})

test('forOrganization accepts only a UUID', () => {
  for (const organization of ['', 'x', `${ownOrganization}'; select 1`]) {
    assert.throws(() => database.forOrganization(organization), failsWith('bad-parameter'))
  }
})

test('a statement beyond its timeout fails with a named error, and the database keeps working', async () => {
  await assert.rejects(database.unscoped.query(sql`select pg_sleep(5)`), failsWith('statement-too-long'))
  assert.deepEqual(await database.unscoped.query(sql`select 1 as one`), [{ one: 1 }])
})

test('a search has its own timeout and its own failure', async () => {
  const search = database.forItemSearch(ownOrganization)
  const tooLong = (error: unknown): boolean =>
    failsWith('search-too-long')(error) && getSqlState(error) === '57014' && /100 ms/.test(String(error))
  await assert.rejects(search.query(sql`select pg_sleep(5)`), tooLong)
  await assert.rejects(
    search.transaction((tx) => tx.query(sql`select pg_sleep(5)`)),
    tooLong,
  )
  assert.deepEqual(await search.query(sql`select 1 as one`), [{ one: 1 }])
})

test('an idle transaction is rolled back and releases its connection', async () => {
  const body = newId()
  const work = database.forOrganization(ownOrganization).transaction(async (tx) => {
    await addNote(tx, ownOrganization, body)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await tx.query(sql`select 1`)
  })
  await assert.rejects(work, failsWith('transaction-abandoned'))
  assert.equal(await countNotes(body), 0)
})

test('a script runs completely or not at all, and leaves no transaction open', async () => {
  await assert.rejects(database.runScript('create table half (id int); select 1 / 0'), hasSqlState('22012'))
  assert.deepEqual(await database.unscoped.query(sql`select to_regclass('half')::text as half`), [{ half: null }])
  await assert.rejects(
    database.forOrganization(ownOrganization).transaction(async () => database.forOrganization('x')),
    failsWith('bad-parameter'),
  )
  await database.ping()
})

test('transactions that lock the same row run one after another', async () => {
  const id = newId()
  await database.unscoped.query(
    sql`insert into notes (organization_id, id, body) values (${ownOrganization}, ${id}, '0')`,
  )
  const add = () =>
    database.forOrganization(ownOrganization).transaction(async (tx) => {
      const [row] = await tx.query<{ body: string }>(sql`
        select body from notes where organization_id = ${ownOrganization} and id = ${id} for update`)
      await tx.query(
        sql`update notes set body = ${String(Number(row!.body) + 1)} where organization_id = ${ownOrganization} and id = ${id}`,
      )
    })
  await Promise.all(Array.from({ length: 20 }, add))
  assert.deepEqual(await database.unscoped.query(sql`select body from notes where id = ${id}`), [{ body: '20' }])
})

test('a closed database rejects every use', async () => {
  const closedDatabase = await openTestDatabase()
  await closedDatabase.close()
  await assert.rejects(closedDatabase.ping(), DatabaseFailure)
  await closedDatabase.close()
})
