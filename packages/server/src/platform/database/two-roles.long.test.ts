import { everyScope } from '@swath/client/every-scope.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { limits } from '@swath/contract/limits.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { idOfDay } from '../../../test/events/attempt-days.ts'
import { eventPartitionOfDay, insertEventRow, listEventPartitions } from '../../../test/events/event-days.ts'
import { createTestDatabase, testDatabaseUrl } from '../../../test/database.ts'
import { placeFirstSceneOrder, waitUntilDelivered } from '../../../test/delivered-order.ts'
import { freePort } from '../../../test/free-port.mjs'
import {
  stopServerProcess,
  startServerProcess,
  waitForOutput,
  type ServerProcess,
} from '../../../test/server-processes.ts'
import { newId } from '../ids.ts'
import { openQueue } from '../queue/open-queue.ts'
import type { Database, SqlStatementRunner } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import { createLogPartitions, dropLogPartitions } from './partitions/log-partitions.ts'
import { migrateSchema, migrationsDir } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { getSchemaOwnerConnection } from './raw.ts'
import { readSchemaCatalog } from './schema/catalog.ts'
import { findSchemaViolations } from '../../../test/schema/schema-rules.ts'
import { checkDatabasePrivileges } from './schema-owner.ts'
import { sql } from './sql.ts'

const login = { username: 'admin@example.com', password: 'a password for two roles', scope: everyScope }
const password = 'a password of the database'

/** Tests with separate database roles need a PostgreSQL server; registered if the run has one. */
function testsOnServer(server: string): void {
  const suffix = newId().replaceAll('-', '')
  const roles = {
    owner: `swath_owner_${suffix}`,
    service: `swath_service_${suffix}`,
    stranger: `swath_stranger_${suffix}`,
  }
  let drop: () => Promise<void>
  let superuser: Database
  let owner: Database
  let folder: string
  let base: string
  let environment: Record<string, string>
  let urls: Record<keyof typeof roles, string>

  const open = (url: string): Promise<Database> => openPostgres({ url, pool_size: 2, statement_timeout_ms: 30_000 })
  const asSuperuser = (): SqlStatementRunner => getSchemaOwnerConnection(superuser)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swath-two-roles-'))
    const testDatabase = await createTestDatabase(server)
    drop = testDatabase.drop
    superuser = await open(testDatabase.url)
    await superuser.runScript(`
      create extension postgis;
      create role ${roles.owner} login createrole password '${password}';
      create role ${roles.service} login noinherit password '${password}';
      create role ${roles.stranger} login password '${password}';
      do $$
      begin
        execute format('alter database %I owner to ${roles.owner}', current_database());
        -- From PostgreSQL 16 on, only the creator or an administrator of a role may grant it; another test may have created these.
        if current_setting('server_version_num')::int >= 160000 and exists (select from pg_roles where rolname = 'swath_across') then
          execute 'grant swath_app, swath_across to ${roles.owner} with admin true, inherit false, set false';
        end if;
      end
      $$`)
    const urlForRole = (username: string): string =>
      Object.assign(new URL(testDatabase.url), { username, password }).href
    urls = { owner: urlForRole(roles.owner), service: urlForRole(roles.service), stranger: urlForRole(roles.stranger) }
    owner = await open(urls.owner)
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    environment = {
      SWATH_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: urls.service,
      PORT: String(port),
      BASE_URL: base,
      SWATH_PLAY_MONEY: 'on',
      SWATH_DEMO: 'on',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
    }
  })
  after(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await owner?.close()
    await superuser?.close()
    await drop?.()
    const admin = await open(server)
    await admin.runScript(`drop role ${Object.values(roles).join(', ')}`).finally(() => admin.close())
    await rm(folder, { recursive: true, force: true })
  })

  const started: ServerProcess[] = []
  const startServer = async (environment: Readonly<Record<string, string>>): Promise<ServerProcess> => {
    const runningServer = startServerProcess(environment)
    started.push(runningServer)
    await waitForOutput(runningServer, /is ready at/)
    return runningServer
  }
  const worldBbox = { bbox: [-180, -85, 180, 85] }
  const countFound = async (client: Client): Promise<number> =>
    (await client.call<{ features: unknown[] }>('items.search_org', worldBbox)).features.length
  const createSignedInClient = (): Client => createClient({ baseUrl: base, token: createTokenSource(base, login) })

  test('a service without privileges does not start and reports the remedy in one sentence', async () => {
    for (const role of ['service', 'stranger'] as const) {
      const failedServer = startServerProcess({ ...environment, DATABASE_URL: urls[role] })
      assert.equal((await once(failedServer.child, 'close'))[0], 1)
      assert.match(
        failedServer.output.err,
        /^The role that signs in may not .*permission denied.*DATABASE_MIGRATION_URL.*\.\n$/,
      )
    }
    const unreachable = { DATABASE_MIGRATION_URL: `postgres://${roles.owner}:secret@127.0.0.1:1/none` }
    const failedServer = startServerProcess({ ...environment, ...unreachable })
    assert.equal((await once(failedServer.child, 'close'))[0], 1)
    assert.match(
      failedServer.output.err,
      /^The database at 127\.0\.0\.1:1 cannot be used: .*Check DATABASE_MIGRATION_URL\.\n$/,
    )
  })

  test('with a separate owner of the schema, a service that owns nothing serves sign-in, search, orders and deliveries', async () => {
    const runningServer = await startServer({ ...environment, DATABASE_MIGRATION_URL: urls.owner })
    const client = createSignedInClient()
    const order = await placeFirstSceneOrder(client)
    await waitUntilDelivered(client, order, runningServer)
    assert.ok((await countFound(client)) > 0)
    await stopServerProcess(runningServer)

    const owned = await asSuperuser().query(sql`
      select d.classid::regclass::text as kind, d.objid from pg_shdepend d
      where d.refclassid = 'pg_authid'::regclass and d.refobjid = ${roles.service}::text::regrole and d.deptype = 'o'`)
    assert.deepEqual(owned, [])
    const [tables] = await asSuperuser().query<{ theirs: number; ours: number }>(sql`
      select count(*) filter (where relowner = ${roles.service}::text::regrole) as theirs,
        count(*) filter (where relowner = ${roles.owner}::text::regrole) as ours
      from pg_class where relnamespace in ('public'::regnamespace, 'boss'::regnamespace) and relkind in ('r', 'p')`)
    assert.equal(tables!.theirs, 0)
    assert.ok(tables!.ours > 50)
  })

  test('a service that owns nothing drops days of events, not counts and creators; the owner may not', async () => {
    const service = await open(urls.service)
    try {
      const [organization, id] = [newId(), idOfDay(-limits.event_days - 20)]
      const db = service.forOrganization(organization)
      await insertEventRow(db, organization, { id, actor_id: 'creator' })
      await createLogPartitions(service.unscoped, 'events')
      // The owner does not see the rows, so it would keep nothing.
      await assert.rejects(
        dropLogPartitions(getSchemaOwnerConnection(owner), 'events', limits.event_days),
        /set role swath_across/,
      )
      assert.equal((await listEventPartitions(db, organization)).get(id), eventPartitionOfDay(-limits.event_days - 20))
      assert.equal(await dropLogPartitions(service.unscoped, 'events', limits.event_days), 1)
      assert.equal((await listEventPartitions(db, organization)).size, 0)
      const [first] = await db.query<{ actor_id: string }>(sql`select actor_id from first_events`)
      const [counted] = await db.query<{ count: number }>(sql`select count from event_counts`)
      assert.deepEqual([first!.actor_id, counted!.count], ['creator', 1])
    } finally {
      await service.close()
    }
  })

  test('the next start with both URLs succeeds although the owner is not a member of the roles of the policies', async () => {
    await stopServerProcess(await startServer({ ...environment, DATABASE_MIGRATION_URL: urls.owner }))
    const [owner] = await asSuperuser().query<{ member: boolean }>(
      sql`select pg_has_role(${roles.owner}::text, 'swath_across', 'member') as member`,
    )
    assert.equal(owner!.member, false)
  })

  test('row-level security is forced on every table with organization_id, also for its owner', async () => {
    const named = await asSuperuser().query<{ name: string; bound: boolean }>(sql`
      select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as bound
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
    assert.ok(named.length > 50)
    assert.deepEqual(
      named.filter(({ bound }) => !bound),
      [],
    )

    const [one] = await asSuperuser().query<{ organization_id: string }>(sql`select organization_id from items limit 1`)
    const seenBy = (organization: string) =>
      getSchemaOwnerConnection(owner).transaction(async (tx) => {
        await tx.query(sql`select set_config('app.organization_id', ${organization}, true)`)
        const [row] = await tx.query<{ items: number }>(sql`select count(*) as items from items`)
        return row!.items
      })
    assert.equal(await seenBy(newId()), 0)
    assert.ok((await seenBy(one!.organization_id)) > 0)
    const keys = await getSchemaOwnerConnection(owner).query(sql`select 1 from users`)
    assert.deepEqual(keys, [])
    assert.ok((await asSuperuser().query(sql`select 1 from users`)).length > 0)
  })

  test('the owner moves items to other partitions, although the policies hide them from it; the service may not', async () => {
    const listItems = () =>
      asSuperuser().query(sql`select to_jsonb(i) as item from items i order by i.organization_id, i.id`)
    const countPartitions = async (): Promise<number> =>
      (await asSuperuser().query(sql`select 1 from pg_inherits where inhparent = 'items'::regclass`)).length
    const items = await listItems()
    assert.ok(items.length > 0)
    for (const partitions of [0, 3, 8]) {
      await getSchemaOwnerConnection(owner).query(sql`select swath_partition_items(${partitions}::integer)`)
      assert.deepEqual([await listItems(), await countPartitions()], [items, partitions])
    }
    assert.deepEqual(findSchemaViolations(await readSchemaCatalog(asSuperuser())), [])
    const service = await open(urls.service)
    try {
      await assert.rejects(service.unscoped.query(sql`select swath_partition_items(16)`), { code: '42501' })
      await assert.rejects(service.unscoped.query(sql`select 1 from items_0`), { code: '42501' })
    } finally {
      await service.close()
    }
  })

  test('a session without an organization reads no rows', async () => {
    const service = await open(urls.service)
    try {
      await assert.rejects(getSchemaOwnerConnection(service).query(sql`select 1 from items`), { code: '42501' })
      assert.deepEqual(await service.forOrganization(newId()).query(sql`select 1 from items`), [])
      assert.ok((await service.unscoped.query(sql`select 1 from items`)).length > 0)
      await assert.rejects(service.runScript('create table mine (id int)'), { code: '42501' })
    } finally {
      await service.close()
    }
  })

  test('a migration that would change fewer rows than it states is rejected', async () => {
    const dir = await mkdtemp(join(folder, 'migrations-'))
    await cp(migrationsDir, dir, { recursive: true })
    await writeFile(join(dir, '9998_silent.sql'), `update items set name = 'changed'`)
    await assert.rejects(
      migrateSchema(owner, dir),
      (error) => error instanceof DatabaseFailure && /row-level security/.test(error.message),
    )
    const explicitMigration = `select swath_owner_sees(true, 'items'); update items set name = 'changed';
      select swath_owner_sees(false, 'items')`
    await writeFile(join(dir, '9998_silent.sql'), explicitMigration)
    assert.deepEqual(await migrateSchema(owner, dir, roles.service), ['9998_silent.sql'])
    const names = await asSuperuser().query(sql`select distinct name from items`)
    assert.deepEqual(names, [{ name: 'changed' }])
    await asSuperuser().query(sql`delete from schema_migrations where number = 9998`)
  })

  test('after a superuser marked the predicates leakproof, searches keep the policy without the owner URL', async () => {
    assert.equal(owner.spatial_policy, 'across')
    await asSuperuser().query(sql`select swath_mark_leakproof()`)
    const runningServer = await startServer(environment)
    const found = await countFound(createSignedInClient())
    await stopServerProcess(runningServer)
    assert.ok(found > 0)
    await owner.refresh()
    assert.equal(owner.spatial_policy, 'leakproof')
  })

  test('with a single URL, its role creates the schema and serves, superuser or not', async () => {
    const { url, drop } = await createTestDatabase(server)
    const admin = await open(url)
    const name = new URL(url).pathname.slice(1)
    await admin.runScript(`create extension postgis; alter database ${name} owner to ${roles.owner}`)
    const singleRoleDatabase = await open(Object.assign(new URL(urls.owner), { pathname: name }).href)
    try {
      await migrateSchema(singleRoleDatabase, migrationsDir)
      const queue = await openQueue(singleRoleDatabase, [], { poll_s: 60, concurrency: 1 })
      await queue.stop(0)
      await checkDatabasePrivileges(singleRoleDatabase)
      assert.deepEqual(await singleRoleDatabase.unscoped.query(sql`select 1 from items`), [])
      assert.deepEqual(await singleRoleDatabase.forOrganization(newId()).query(sql`select 1 from items`), [])
    } finally {
      await Promise.all([singleRoleDatabase.close(), admin.close()])
      await drop()
    }
  })

  test('missing privileges on a table are reported at startup', async () => {
    await asSuperuser().query(sql`revoke all on items from swath_across`)
    const failedServer = startServerProcess(environment)
    assert.equal((await once(failedServer.child, 'close'))[0], 1)
    assert.match(failedServer.output.err, /^The roles swath_app and swath_across lack privileges on items: .*\.\n$/)
  })
}

const server = testDatabaseUrl()
if (server) testsOnServer(server)
