import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestDatabase, testDatabaseUrl } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import { openQueue } from '../queue/open-queue.ts'
import type { Database } from './database.ts'
import { getSqlState } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import { listenToChannel } from './listen.ts'
import { migrateSchema, migrationsDir } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { getSchemaOwnerConnection } from './raw.ts'
import { sql, type Sql } from './sql.ts'

test('an unreachable server fails with database-unavailable, without its password', async () => {
  const url = 'postgres://nobody:secret@127.0.0.1:1/nothing'
  await assert.rejects(openPostgres({ url, pool_size: 1, statement_timeout_ms: 1_000 }), (error) => {
    assert.ok(error instanceof DatabaseFailure && error.failure === 'database-unavailable')
    assert.ok(!error.message.includes('secret'))
    return true
  })
})

test('a server that does not answer is tried twice: a process that loads modules misses the first answer', async () => {
  let connections = 0
  const silent = createServer((socket) => {
    connections++
    // The second connection is refused as by a server that starts.
    if (connections > 1) socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const options = { pool_size: 1, statement_timeout_ms: 1_000, connect_timeout_ms: 100 }
  await assert.rejects(openPostgres({ url: `postgres://nobody@127.0.0.1:${port}/nothing`, ...options }), {
    failure: 'database-unavailable',
  })
  assert.equal(connections, 2)
  silent.close()
})

/** Tests that need a PostgreSQL server; registered if the run has one. */
function testsOnServer(server: string): void {
  let url: string
  let drop: () => Promise<void>
  let database: Database
  const [ownOrganization, otherOrganization] = [newId(), newId()]
  const open = (options: object = {}): Promise<Database> =>
    openPostgres({ url, pool_size: 3, statement_timeout_ms: 2_000, ...options })

  before(async () => {
    ;({ url, drop } = await createTestDatabase(server))
    database = await open()
    await migrateSchema(database, migrationsDir)
    await database.runScript(`
      create table notes (organization_id uuid not null, id uuid not null, primary key (organization_id, id));
      select swath_tenant_table('notes')`)
  })
  after(async () => {
    await database.close()
    await drop()
  })

  test('a statement that is prepared gives the same rows each time, and stays usable after an error', async () => {
    const one = await open({ pool_size: 1 })
    const owner = getSchemaOwnerConnection(one)
    const read = (text: string | null) =>
      owner.query(
        sql.prepared(sql`
        select n, case when n = 2 then null else ${text}::text end as word, array[n, null] as list, n = 1 as first,
          '2026-11-26T00:00:00Z'::timestamptz as at, '{"a": [1]}'::jsonb as json
        from generate_series(1, 2) n`),
      )
    const expected = (word: string | null) =>
      [1, 2].map((n) => ({
        n,
        word: n === 2 ? null : word,
        list: [n, null],
        first: n === 1,
        at: new Date('2026-11-26'),
        json: { a: [1] },
      }))
    for (const word of ['first', 'second', null, 'ü']) assert.deepEqual(await read(word), expected(word))

    const divide = (by: number) => owner.query(sql.prepared(sql`select 6 / ${by}::integer as quotient`))
    for (const by of [2, 3]) assert.deepEqual(await divide(by), [{ quotient: 6 / by }])
    await assert.rejects(divide(0), { code: '22012' })
    assert.deepEqual(await divide(1), [{ quotient: 6 }])
    const none = () => owner.query(sql.prepared(sql`select 1 as one where ${false}::boolean`))
    for (const _ of [1, 2]) assert.deepEqual(await none(), [])

    const insert = (id: string) =>
      owner.query(sql.prepared(sql`insert into notes (organization_id, id) values (${ownOrganization}, ${id})`))
    const [first, second] = [newId(), newId()]
    for (const id of [first, second]) assert.deepEqual(await insert(id), [])
    await assert.rejects(insert(first), { code: '23505' })
    await owner.query(sql`delete from notes where id in (${first}, ${second})`)
    const long = (seconds: number) => owner.query(sql.prepared(sql`select 1 as one from pg_sleep(${seconds}::float8)`))
    for (const seconds of [0, 0]) assert.deepEqual(await long(seconds), [{ one: 1 }])
    await assert.rejects(long(10), { failure: 'statement-too-long' })
    assert.deepEqual(await long(0), [{ one: 1 }])
    await one.close()
  })

  test('results that arrive together are each of their own statement', async () => {
    const owner = getSchemaOwnerConnection(database)
    const echo = (text: string) => owner.query(sql.prepared(sql`select ${text}::text as echo`))
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)
    const rows = await Promise.all(texts.map(echo))
    assert.deepEqual(
      rows,
      texts.map((text) => [{ echo: text }]),
    )
  })

  for (const mode of ['plain', 'pooler'] as const) {
    test(`statements are not compiled (${mode})`, async () => {
      const opened = await open({ mode })
      try {
        const db = opened.forOrganization(ownOrganization)
        const readJit = sql`select current_setting('jit') as jit`
        assert.deepEqual(await db.query(readJit), [{ jit: 'off' }])
        assert.deepEqual(await db.transaction((tx) => tx.query(readJit)), [{ jit: 'off' }])
      } finally {
        await opened.close()
      }
    })
  }

  test('only on Citus, each transaction first requests the propagation of its settings', async () => {
    for (const [mode, expected] of [
      ['citus', 'local'],
      ['pooler', null],
    ] as const) {
      const opened = await open({ mode, pool_size: 1 })
      try {
        const readSetting = sql`select nullif(nullif(current_setting('citus.propagate_set_commands', true), ''), 'none') as setting`
        const db = opened.forOrganization(ownOrganization)
        assert.deepEqual(await db.query(readSetting), [{ setting: expected }])
        assert.deepEqual(await db.transaction((tx) => tx.query(readSetting)), [{ setting: expected }])
      } finally {
        await opened.close()
      }
    }
  })

  test('behind a pooler, role and organization are set inside each transaction', async () => {
    const pooled = await open({ mode: 'pooler', pool_size: 1 })
    try {
      assert.equal(pooled.spatial_policy, 'leakproof')
      await pooled
        .forOrganization(ownOrganization)
        .query(sql`insert into notes values (${ownOrganization}, ${newId()})`)
      assert.equal((await pooled.forOrganization(ownOrganization).query(sql`select 1 from notes`)).length, 1)
      assert.equal((await pooled.forOrganization(otherOrganization).query(sql`select 1 from notes`)).length, 0)
      assert.equal((await pooled.unscoped.query(sql`select 1 from notes`)).length, 1)
      await pooled.forOrganization(ownOrganization).transaction(async (tx) => {
        assert.equal((await tx.query(sql`select 1 from notes`)).length, 1)
      })
      await assert.rejects(
        pooled.forOrganization(otherOrganization).query(sql`insert into notes values (${ownOrganization}, ${newId()})`),
        (error) => getSqlState(error) === '42501',
      )
      const [settingsAfter] = await pooled.unscoped.query(sql`
        select current_user::text as role, coalesce(current_setting('app.organization_id', true), '') as organization`)
      assert.deepEqual(settingsAfter, { role: 'swath_across', organization: '' })
      // The pooler's next client finds the connection unchanged.
      const [shared] = await getSchemaOwnerConnection(pooled).query(
        sql`select current_user = session_user as unchanged`,
      )
      assert.deepEqual(shared, { unchanged: true })
      await assert.rejects(
        pooled.forOrganization(ownOrganization).query(sql`select pg_sleep(10)`),
        /longer than 2000 ms/,
      )
    } finally {
      await pooled.close()
    }
  })

  for (const mode of ['plain', 'pooler', 'citus'] as const) {
    test(`a statement that fails is undone, and its connection stays usable (${mode})`, async () => {
      const opened = await open({ mode, pool_size: 1 })
      try {
        const db = opened.forOrganization(ownOrganization)
        const [taken, free] = [newId(), newId()]
        const insert = (...ids: string[]) =>
          sql.prepared(sql`
          insert into notes (organization_id, id) select ${ownOrganization}::uuid, unnest(${ids}::uuid[])`)
        const count = async () => (await db.query(sql`select 1 from notes where id in (${taken}, ${free})`)).length
        // The first execution, which prepares, and then one of what is prepared.
        await assert.rejects(db.query(insert(taken, taken)), { code: '23505' })
        await db.query(insert(taken))
        await assert.rejects(db.query(insert(free, taken)), { code: '23505' })
        assert.equal(await count(), 1)
        await assert.rejects(
          db.transaction((tx) => tx.query(insert(free, taken))),
          { code: '23505' },
        )
        await assert.rejects(
          db.transaction(async (tx) => {
            await tx.query(insert(free))
            await tx.query(sql`select 1 / 0`).catch(() => undefined)
          }),
          { failure: 'transaction-rolled-back' },
        )
        assert.equal(await count(), 1)
        assert.equal(await db.transaction(async () => 'nothing was sent'), 'nothing was sent')
        const [state] = await db.query(
          sql`select pg_current_xact_id_if_assigned() as writes, current_user::text as role`,
        )
        assert.deepEqual(state, { writes: null, role: 'swath_app' })
        await db.query(sql`delete from notes where id in (${taken}, ${free})`)
      } finally {
        await opened.close()
      }
    })
  }

  test('on Citus, a prepared statement is planned for the organization that runs it', async () => {
    // The part of the policies there that would be wrong in a plan of another organization.
    await database.runScript(`
      create table planned_notes (organization_id uuid not null, id uuid not null, primary key (organization_id, id));
      select swath_tenant_table('planned_notes');
      create function planned_organization() returns uuid language sql immutable
        as $$ select current_setting('app.organization_id')::uuid $$;
      alter policy tenant on planned_notes using (organization_id = planned_organization())`)
    const opened = await open({ mode: 'citus', pool_size: 1 })
    try {
      const organizations = [ownOrganization, otherOrganization]
      const read = (organization: string, statement: Sql) => opened.forOrganization(organization).query(statement)
      for (const organization of organizations)
        await read(organization, sql`insert into planned_notes values (${organization}, ${newId()})`)
      const statements = [
        sql.prepared(sql`select organization_id from planned_notes where ${true}`),
        // Without parameters: PostgreSQL would keep its plan at once.
        sql.prepared(sql`select organization_id from planned_notes`),
      ]
      for (const statement of statements)
        for (let round = 0; round < 7; round++)
          for (const organization_id of organizations)
            assert.deepEqual(await read(organization_id, statement), [{ organization_id }])
    } finally {
      await opened.close()
    }
  })

  test('every statement has the timeout of its kind, on any connection', async () => {
    for (const mode of ['plain', 'pooler'] as const) {
      const scoped = await open({ mode, pool_size: 1, search_timeout_ms: 700 })
      try {
        const limit = sql`select current_setting('statement_timeout') as limit`
        for (const [db, expected] of [
          [scoped.forOrganization(ownOrganization), '2s'],
          [scoped.forItemSearch(ownOrganization), '700ms'],
          [scoped.forOrganization(ownOrganization), '2s'],
          [scoped.forItemSearch(otherOrganization), '700ms'],
        ] as const) {
          assert.deepEqual(await db.query(limit), [{ limit: expected }], mode)
          assert.deepEqual(await db.transaction((tx) => tx.query(limit)), [{ limit: expected }], mode)
        }
      } finally {
        await scoped.close()
      }
    }
  })

  test('a connection that the server terminates is replaced, and the process survives', async () => {
    const singleConnection = await open({ pool_size: 1 })
    try {
      await assert.rejects(
        getSchemaOwnerConnection(singleConnection).query(sql`select pg_terminate_backend(pg_backend_pid())`),
      )
      assert.deepEqual(await singleConnection.unscoped.query(sql`select 1 as one`), [{ one: 1 }])
      await assert.rejects(
        singleConnection.forOrganization(ownOrganization).transaction(async (tx) => {
          const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          await getSchemaOwnerConnection(database).query(sql`select pg_terminate_backend(${row!.pid})`)
          await new Promise((resolve) => setTimeout(resolve, 100))
          await tx.query(sql`insert into notes values (${ownOrganization}, ${newId()})`)
        }),
        (error) => error instanceof DatabaseFailure,
      )
      assert.deepEqual(await singleConnection.unscoped.query(sql`select 1 as one`), [{ one: 1 }])
    } finally {
      await singleConnection.close()
    }
  })

  test('more callers than connections wait for a free one', async () => {
    const all = Array.from({ length: 30 }, (_value, n) =>
      database.forOrganization(ownOrganization).query<{ n: number }>(sql`select ${n}::int as n`),
    )
    assert.deepEqual(
      (await Promise.all(all)).flat().map((row) => row.n),
      Array.from({ length: 30 }, (_value, n) => n),
    )
  })

  test('a process listens to all its channels on one connection, which is reopened for all of them', async () => {
    const heard: string[] = []
    const until = async (isReached: () => boolean): Promise<void> => {
      while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const listen = (name: string, channel: string) =>
      listenToChannel(
        database,
        channel,
        (payload) => heard.push(`${name} ${payload}`),
        () => heard.push(`${name} connected`),
      )
    const listening = sql`
      select pid from pg_stat_activity where datname = current_database() and query ~ '^(un)?listen '`
    const notify = (payload: string) =>
      database.unscoped.query(sql`
        select pg_notify('first', ${payload}), pg_notify('second', ${payload}), pg_notify('third', ${payload})`)
    const [one, again, two] = await Promise.all([
      listen('one', 'first'),
      listen('again', 'first'),
      listen('two', 'second'),
    ])
    assert.deepEqual(heard.splice(0).toSorted(), ['again connected', 'one connected', 'two connected'])
    assert.equal((await getSchemaOwnerConnection(database).query(listening)).length, 1)
    await one()
    await notify('a')
    await until(() => heard.length === 2)
    assert.deepEqual(heard.splice(0).toSorted(), ['again a', 'two a'])

    await getSchemaOwnerConnection(database).query(sql`select pg_terminate_backend(pid) from (${listening}) as l`)
    await until(() => heard.length === 2)
    assert.deepEqual(heard.splice(0).toSorted(), ['again connected', 'two connected'])
    await again()
    await notify('b')
    await until(() => heard.length === 1)
    assert.deepEqual(heard, ['two b'])
    await two()
    assert.deepEqual(await getSchemaOwnerConnection(database).query(listening), [])
  })

  test('a worker in another process is notified of a committed task', async () => {
    const [senderDatabase, workerDatabase] = [await open(), await open()]
    const retry = { limit: 0, delay_s: 0, backoff: false, expire_s: 60 }
    let resolveRun: (() => void) | undefined
    const tasks = [{ name: 'far.work', retry, run: async () => resolveRun?.() }]
    const options = { poll_s: 600, concurrency: 1 }
    const [sender, worker] = await Promise.all([
      openQueue(senderDatabase, tasks, options),
      openQueue(workerDatabase, tasks, options),
    ])
    try {
      await worker.start()
      await new Promise((resolve) => setTimeout(resolve, 300))
      for (let round = 0; round < 3; round += 1) {
        const ran = new Promise<void>((resolve) => (resolveRun = resolve))
        const begun = performance.now()
        await senderDatabase
          .forOrganization(ownOrganization)
          .transaction((tx) => sender.enqueue(tx, { name: 'far.work' }, { round }))
        await ran
        assert.ok(performance.now() - begun < 5_000)
      }
    } finally {
      await sender.stop(0)
      await worker.stop(0)
      await Promise.all([senderDatabase.close(), workerDatabase.close()])
    }
  })
}

const server = testDatabaseUrl()
if (server) testsOnServer(server)
