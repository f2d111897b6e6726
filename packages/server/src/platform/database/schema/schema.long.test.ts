import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Database } from '../database.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { readSchemaCatalog } from './catalog.ts'
import { golden_schema_path, printSchema } from './print.ts'
import { findSchemaViolations } from '../../../../test/schema/schema-rules.ts'

let database: Database

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test(
  'schema.sql matches the migrated schema',
  skipOnCitus('distribution has changed policies, partitions and triggers'),
  async () => {
    const printed = printSchema(await readSchemaCatalog(database.unscoped))
    const golden = await fs.readFile(golden_schema_path, 'utf8')
    assert.equal(printed, golden, 'packages/server/schema.sql is out of date: run npm run db -- dump')
  },
)

test(
  'the migrated schema violates no rule',
  skipOnCitus('distribution has changed policies, partitions and triggers'),
  async () => {
    const catalog = await readSchemaCatalog(database.unscoped)
    assert.ok(catalog.tables.length > 1)
    assert.deepEqual(findSchemaViolations(catalog), [])
  },
)

/** A schema change that violates a rule, and the message it must cause. */
const brokenSchemas: readonly (readonly [script: string, sentence: RegExp])[] = [
  ['create table t (id uuid primary key)', /^t: its migration does not declare/],
  [
    `create table t (organization_id uuid not null, id uuid primary key); select swath_tenant_table('t')`,
    /^t: its primary key must begin with organization_id$/,
  ],
  [
    `create table t (organization_id uuid not null, id uuid); select swath_tenant_table('t')`,
    /^t: a tenant table must have a primary key$/,
  ],
  [
    `create table t (organization_id uuid default gen_random_uuid(), id uuid, primary key (organization_id, id));
     select swath_tenant_table('t')`,
    /^t: organization_id must have no default$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, name text unique, primary key (organization_id, id));
     select swath_tenant_table('t')`,
    /^t: t_name_key must begin with organization_id$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, name text, primary key (organization_id, id));
     create unique index t_name on t (lower(name)); select swath_tenant_table('t')`,
    /^t: the unique index t_name must begin with organization_id$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, other uuid, primary key (organization_id, id), unique (organization_id, other));
     select swath_tenant_table('t'); create table d (key text primary key); select swath_directory_table('d');
     create table u (organization_id uuid, id uuid, key text references d, primary key (organization_id, id));
     select swath_tenant_table('u')`,
    /^u: u_key_fkey references a directory table from a tenant table$/,
  ],
  [
    `create table t (organization_id uuid, id serial, primary key (organization_id, id)); select swath_tenant_table('t')`,
    /^t: id uses a sequence$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t');
     create function change() returns trigger language plpgsql as $$ begin return new; end $$;
     create trigger t_change before update on t for each row execute function change()`,
    /^t: t_change is a trigger whose function nothing replaces: change$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t');
     alter table t disable row level security`,
    /^t: row-level security is off$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t');
     alter table t no force row level security`,
    /^t: row-level security is not forced for its owner$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)) partition by range (id);
     select swath_tenant_table('t'); create table t_part partition of t default;
     alter table t_part enable row level security`,
    /^t_part: row-level security is not forced for its owner$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)) partition by range (id);
     select swath_tenant_table('t'); create table t_part partition of t default;
     select swath_close_partition('t_part'); grant select on t_part to swath_app`,
    /^t_part: a partition must have no privileges or policies of its own$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t');
     alter policy across on t to swath_app`,
    /^t: its only policy for swath_across must be true for all commands$/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t');
     create policy everybody on t using (true)`,
    /^t: it has too many policies$/,
  ],
  [
    `create table d (key text primary key, organization_id uuid); select swath_directory_table('d');
     alter table d no force row level security`,
    /^d: row-level security is not forced for its owner$/,
  ],
  [
    `create table s (key text primary key, organization_id uuid); select swath_shared_table('s')`,
    /^s: a shared table must not have a column organization_id$/,
  ],
  [
    `create table d (key text primary key); select swath_directory_table('d'); grant select on d to swath_app`,
    /^d: swath_app has the privilege select$/,
  ],
  [
    `create table s (key text primary key); select swath_shared_table('s'); grant select on s to public`,
    /^s: public has the privilege/,
  ],
  [
    `create table t (organization_id uuid, id uuid, primary key (organization_id, id)); select swath_tenant_table('t', 'select');
     grant truncate on t to swath_app`,
    /^t: swath_app has the privilege truncate$/,
  ],
]

test('every rule detects a violation', async () => {
  const rollback = new Error('undo')
  for (const [script, message] of brokenSchemas) {
    const work = getSchemaOwnerConnection(database).transaction(async (tx) => {
      await getStatementRunner(tx).script(script)
      const violations = findSchemaViolations(await readSchemaCatalog(tx))
      assert.ok(
        violations.some((violation) => message.test(violation)),
        `${message} is not among ${JSON.stringify(violations)}`,
      )
      throw rollback
    })
    await assert.rejects(work, (error) => {
      assert.equal(error, rollback)
      return true
    })
  }
})

test('swath_tenant_table rejects a table without organization_id and an unknown privilege', async () => {
  await assert.rejects(
    database.runScript(`create table t (id uuid primary key); select swath_tenant_table('t')`),
    /needs a column "organization_id uuid not null"/,
  )
  await assert.rejects(
    database.runScript(`
      create table t (organization_id uuid not null, id uuid, primary key (organization_id, id));
      select swath_tenant_table('t', 'select, truncate')`),
    /cannot be given "truncate"/,
  )
})
