import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Database } from '../database.ts'
import { DatabaseFailure } from '../failures.ts'
import { logsPartitionedByDay } from '../partitions/log-partitions.ts'
import { getSchemaOwnerConnection } from '../raw.ts'
import { readSchemaCatalog, type SchemaCatalog } from '../schema/catalog.ts'
import { sql } from '../sql.ts'
import { distributeTenantTables } from './distribute.ts'
import { planTableDistribution } from './plan.ts'

/**
 * The functions of Citus that the command calls, with what it refuses: triggers, foreign keys to tables that are not distributed, a
 * table that is distributed already. Citus itself is not available here; these record the calls and distribute nothing.
 */
const citusStandIn = `
  create table pg_dist_partition (logicalrelid regclass primary key, kind text not null, colocated_with text);
  create view pg_dist_shard as
    select logicalrelid, n as shardid from pg_dist_partition, generate_series(1, case kind when 'hash' then 8 else 1 end) n;
  create table pg_dist_background_job (job_id bigint, job_type text, state text);
  create table stand_in_commands (number integer generated always as identity, command text not null);
  create table stand_in_failures (name text primary key);
  create table stand_in_zones (node integer primary key, zone text not null);
  insert into stand_in_zones values (1, 'UTC'), (2, 'Europe/Rome');

  create function run_command_on_shards(table_name regclass, command text) returns table (shardid bigint, success boolean, result text)
  language sql as $$ select 102008::bigint, true, 'ALTER TABLE' $$;

  create function create_reference_table(table_name regclass) returns void language sql as $$
    insert into pg_dist_partition values (table_name, 'reference', null);
  $$;

  create function create_distributed_table(table_name regclass, distribution_column text, colocate_with text default 'default')
  returns void language plpgsql as $$
  begin
    if exists (select from stand_in_failures f where f.name = table_name::text) then
      raise exception 'the connection to a node was lost';
    end if;
    if exists (select from pg_trigger t where t.tgrelid = table_name and not t.tgisinternal) then
      raise exception 'triggers are not supported on distributed tables: %', table_name;
    end if;
    if exists (
      select from pg_constraint k where k.conrelid = table_name and k.contype = 'f' and k.confrelid <> table_name
        and k.confrelid not in (select logicalrelid from pg_dist_partition))
    then
      raise exception 'a referenced table is not distributed: %', table_name;
    end if;
    if distribution_column <> 'organization_id' then
      raise exception 'another column: %', distribution_column;
    end if;
    if colocate_with <> 'default' and colocate_with::regclass not in (select logicalrelid from pg_dist_partition) then
      raise exception 'not distributed: %', colocate_with;
    end if;
    insert into pg_dist_partition values (table_name, 'hash', colocate_with);
  end $$;

  create function truncate_local_data_after_distributing_table(table_name regclass) returns void language plpgsql as $$
  begin
    if exists (
      select from pg_constraint k where k.contype = 'f' and k.confrelid = table_name
        and k.conrelid not in (select logicalrelid from pg_dist_partition))
    then
      raise exception 'a table that references it is not distributed: %', table_name;
    end if;
    execute format('truncate %s cascade', table_name);
  end $$;

  create function run_command_on_all_nodes(command text) returns table (nodeid integer, success boolean, result text)
  language plpgsql as $$
  begin
    insert into stand_in_commands (command) values (run_command_on_all_nodes.command);
    return query select n, n in (select node from stand_in_zones), case command
      when 'select current_setting(''timezone'')' then (select zone from stand_in_zones z where z.node = n)
      when 'select current_setting(''datestyle'')' then 'ISO, MDY'
      when 'select current_setting(''jit'')' then 'off' else 'ok' end
    from (values (1), (2)) as nodes (n);
  end $$;`

let database: Database
let catalog: SchemaCatalog
before(async () => {
  database = await openTestDatabase()
  catalog = await readSchemaCatalog(getSchemaOwnerConnection(database))
})
after(() => database?.close())

const isRefused =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof DatabaseFailure && error.failure === 'distribution-refused' && message.test(error.message)

const countDistributed = async (): Promise<number> => {
  const [row] = await getSchemaOwnerConnection(database).query<{ tables: number }>(
    sql`select count(*) as tables from pg_dist_partition where kind = 'hash'`,
  )
  return row!.tables
}

const tenantTables = (): string[] =>
  catalog.tables.filter(({ purpose }) => purpose === 'tenant').map(({ name }) => name)

test('every tenant table is planned once, after the tables that it references', () => {
  const { tenant, reference } = planTableDistribution(catalog, new Set())
  assert.deepEqual(tenant.toSorted(), tenantTables().toSorted())
  assert.ok(tenant.length > 90)
  const keys = catalog.constraints.filter(
    ({ kind, table, target }) => kind === 'f' && target !== table && tenant.includes(table),
  )
  assert.ok(keys.length > 40)
  for (const { table, target, name } of keys) assert.ok(tenant.indexOf(target!) < tenant.indexOf(table), name)
  assert.deepEqual(
    reference,
    catalog.tables.filter(({ purpose }) => purpose === 'shared').map(({ name }) => name),
  )
})

test('a foreign key that leaves the tenant tables is refused, and so is a circle', () => {
  const key = (table: string, target: string, columns = ['organization_id', 'id']) => ({
    table,
    name: `${table}_key`,
    kind: 'f' as const,
    columns,
    target,
    target_columns: columns,
    definition: '',
  })
  const withKeys = (...keys: ReturnType<typeof key>[]): SchemaCatalog => ({
    ...catalog,
    constraints: [...catalog.constraints, ...keys],
  })
  const plan = (schema: SchemaCatalog) => () => planTableDistribution(schema, new Set())
  assert.throws(plan(withKeys(key('projects', 'users'))), isRefused(/projects_key of projects/))
  assert.throws(plan(withKeys(key('assets', 'projects', ['id']))), isRefused(/assets_key of assets/))
  assert.throws(
    plan(withKeys(key('projects', 'items'))),
    isRefused(/reference each other: .*projects.*items.*projects/),
  )
})

test(
  'triggers that refuse changes are replaced by privileges or by the store',
  skipOnCitus('its tables are distributed already'),
  () => {
    const { triggers } = planTableDistribution(catalog, new Set())
    const namesOf = (kind: string) => triggers.filter(({ replacement }) => replacement === kind).map(({ name }) => name)
    assert.deepEqual(namesOf('store'), ['invoices_fixed'])
    assert.deepEqual(namesOf('none'), [])
    assert.deepEqual(
      triggers.filter(({ table }) => table === 'journal_entries').map(({ name, events }) => [name, events.toSorted()]),
      [
        ['journal_entries_immutable', ['delete', 'update']],
        ['journal_entries_kept', ['truncate']],
      ],
    )
  },
)

test(
  'the command continues an interrupted run, and then has nothing to do',
  skipOnCitus('its tables are distributed already'),
  async () => {
    await assert.rejects(distributeTenantTables(database, { shards: 8 }), isRefused(/extension citus/))
    await database.runScript(citusStandIn)
    await assert.rejects(
      distributeTenantTables(database, { shards: 8 }),
      isRefused(/timezone of node 2 is Europe\/Rome/),
    )
    await database.runScript('delete from stand_in_zones where node = 2')
    await assert.rejects(
      distributeTenantTables(database, { shards: 8 }),
      isRefused(/a node does not respond: .*\(node 2\)/),
    )
    await database.runScript("insert into stand_in_zones values (2, 'Etc/UTC')")
    await database.runScript(
      `create function count_projects() returns trigger language plpgsql as 'begin return null; end';
     create trigger projects_counted after insert on projects for each row execute function count_projects()`,
    )
    await assert.rejects(
      distributeTenantTables(database, { shards: 8 }),
      isRefused(/nothing replaces these: projects_counted on projects$/),
    )
    assert.equal(await countDistributed(), 0)
    await database.runScript('drop trigger projects_counted on projects')
    await database.runScript("insert into feature_flags values ('half-open', 50, statement_timestamp())")

    await database.runScript("insert into stand_in_failures values ('orders')")
    await assert.rejects(distributeTenantTables(database, { shards: 8 }), /connection to a node/)
    const done = await countDistributed()
    assert.ok(done > 0 && done < tenantTables().length)

    await database.runScript('delete from stand_in_failures')
    const { tenant, shards, emptied, leakproof } = await distributeTenantTables(database, { shards: 8 })
    assert.equal(tenant[0], 'orders')
    assert.equal(await countDistributed(), tenantTables().length)
    assert.equal(shards, 8)
    assert.ok(emptied.includes('feature_flags'), 'the nodes have the rows that were here')
    const owner = getSchemaOwnerConnection(database)
    const groups = await owner.query<{ colocated_with: string; tables: number }>(sql`
    select colocated_with, count(*) as tables from pg_dist_partition where kind = 'hash' group by 1 order by 2`)
    assert.equal(groups[0]?.colocated_with, 'default')
    assert.deepEqual(
      groups.map(({ tables }) => tables),
      [1, tenantTables().length - 1],
    )
    const triggers = await owner.query(sql`
    select tgname from pg_trigger where not tgisinternal and tgrelid in (select logicalrelid from pg_dist_partition)`)
    assert.deepEqual(triggers, [])
    for (const name of ['geometry_overlaps', 'st_intersects'])
      assert.ok(
        leakproof.some((marked) => marked.startsWith(`${name}(`)),
        name,
      )

    const { tables, policies } = await readSchemaCatalog(owner)
    for (const table of ['items', ...logsPartitionedByDay])
      assert.equal(
        tables.find(({ name }) => name === table)?.partition_key,
        null,
        `the shards of ${table} have no partitions`,
      )
    const ofTenants = policies.filter(({ name }) => name === 'tenant')
    assert.ok(ofTenants.length > 90)
    for (const { table, using } of ofTenants) assert.match(String(using), /swath_planned_organization/, table)

    await database.runScript(`insert into pg_dist_background_job values (1, 'rebalance', 'running')`)
    await assert.rejects(distributeTenantTables(database, { shards: 8 }), isRefused(/shards are being moved/))
    await database.runScript('delete from pg_dist_background_job')

    const again = await distributeTenantTables(database, { shards: 8 })
    assert.deepEqual(
      [again.tenant, again.reference, again.triggers, again.policies, again.emptied],
      [[], [], [], [], []],
    )

    // As an earlier version has distributed it.
    await database.runScript(
      `alter policy tenant on projects using (organization_id = current_setting('app.organization_id')::uuid)`,
    )
    assert.deepEqual((await distributeTenantTables(database, { shards: 8 })).policies, ['projects'])
  },
)

test(
  'the roles of the service cannot change columns that only triggers protected',
  skipOnCitus('its tables are distributed already'),
  async () => {
    const { triggers } = planTableDistribution(catalog, new Set())
    const protectedTables = new Set(
      triggers.filter(({ replacement }) => replacement === 'privileges').map(({ table }) => table),
    )
    assert.ok(protectedTables.size >= 12)
    for (const table of protectedTables)
      await assert.rejects(
        database.unscoped.query(sql`delete from ${sql.identifier(table, [table])}`),
        /permission denied/,
        table,
      )
  },
)
