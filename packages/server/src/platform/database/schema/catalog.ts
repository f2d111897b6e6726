import type { SqlStatementRunner } from '../database.ts'
import { sql } from '../sql.ts'

/** The contents of the schema `public` as plain rows; objects of extensions are omitted. */
export interface SchemaCatalog {
  readonly tables: readonly PgCatalogTableRow[]
  readonly partitions: readonly PgCatalogPartitionRow[]
  readonly columns: readonly PgCatalogColumnRow[]
  readonly constraints: readonly PgCatalogConstraintRow[]
  readonly indexes: readonly PgCatalogIndexRow[]
  readonly policies: readonly PgCatalogPolicyRow[]
  readonly grants: readonly PgCatalogGrantRow[]
  readonly functions: readonly PgCatalogFunctionRow[]
  readonly triggers: readonly PgCatalogTriggerRow[]
  /** Objects that the printer does not support: views, sequences, types. */
  readonly others: readonly { readonly kind: string; readonly name: string }[]
}

export interface PgCatalogTableRow {
  readonly name: string
  /** The purpose that the migration declares: tenant, shared, directory, machinery. */
  readonly purpose: string | null
  readonly row_security: boolean
  readonly forced: boolean
  /** The partition key; null for a table without partitions. */
  readonly partition_key: string | null
}

/** A part of a partitioned table, omitted from the other rows. */
export interface PgCatalogPartitionRow {
  readonly name: string
  readonly table: string
  /** The partition bound, such as `FOR VALUES WITH (modulus 8, remainder 0)`. */
  readonly bound: string
  /** True if row-level security applies to its owner, too. */
  readonly is_forced: boolean
  /** True if a role but the owner has privileges or a policy. */
  readonly is_open: boolean
}

export interface PgCatalogColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly not_null: boolean
  readonly collation: string | null
  readonly default: string | null
  readonly generated: boolean
  readonly identity: boolean
}

export interface PgCatalogConstraintRow {
  readonly table: string
  readonly name: string
  readonly kind: 'p' | 'u' | 'f' | 'c' | 'x'
  readonly columns: readonly string[]
  readonly target: string | null
  readonly target_columns: readonly string[] | null
  readonly definition: string
}

export interface PgCatalogIndexRow {
  readonly table: string
  readonly name: string
  readonly unique: boolean
  /** Null if the first column is an expression. */
  readonly first_column: string | null
  readonly definition: string
}

export interface PgCatalogPolicyRow {
  readonly table: string
  readonly name: string
  readonly permissive: boolean
  readonly command: string
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
}

export interface PgCatalogGrantRow {
  readonly table: string
  readonly role: string
  readonly privilege: string
}

export interface PgCatalogFunctionRow {
  readonly name: string
  readonly definition: string
  readonly public_execute: boolean
}

export interface PgCatalogTriggerRow {
  readonly table: string
  readonly name: string
  readonly function: string
  readonly definition: string
}

const own_relations = sql`
  c.relnamespace = 'public'::regnamespace and not c.relispartition
  and not exists (select 1 from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`

const readTables = (db: SqlStatementRunner) =>
  db.query<PgCatalogTableRow>(sql`
    select c.relname::text as name, obj_description(c.oid, 'pg_class') as purpose,
      c.relrowsecurity as row_security, c.relforcerowsecurity as forced, pg_get_partkeydef(c.oid) as partition_key
    from pg_class c
    where c.relkind in ('r', 'p') and ${own_relations}
    order by c.relname collate "C"`)

const readPartitions = (db: SqlStatementRunner) =>
  db.query<PgCatalogPartitionRow>(sql`
    select c.relname::text as name, p.relname::text as table, pg_get_expr(c.relpartbound, c.oid) as bound,
      c.relrowsecurity and c.relforcerowsecurity as is_forced,
      exists (select 1 from aclexplode(c.relacl) g where g.grantee <> c.relowner)
        or exists (select 1 from pg_policy o where o.polrelid = c.oid) as is_open
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind in ('r', 'p') and p.relnamespace = 'public'::regnamespace
    order by p.relname collate "C", c.relname collate "C"`)

const readColumns = (db: SqlStatementRunner) =>
  db.query<PgCatalogColumnRow>(sql`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as not_null, a.attgenerated <> '' as generated, a.attidentity <> '' as identity,
      (select l.collname::text from pg_collation l join pg_type t on t.oid = a.atttypid
        where l.oid = a.attcollation and a.attcollation <> t.typcollation) as collation,
      (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum) as default
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and ${own_relations}
    order by c.relname collate "C", a.attnum`)

const readConstraints = (db: SqlStatementRunner) =>
  db.query<PgCatalogConstraintRow>(sql`
    select c.relname::text as table, k.conname::text as name, k.contype::text as kind,
      array(select a.attname::text from unnest(k.conkey) with ordinality as u (number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number order by u.place) as columns,
      (select r.relname::text from pg_class r where r.oid = k.confrelid) as target,
      case when k.confrelid <> 0 then
        array(select a.attname::text from unnest(k.confkey) with ordinality as u (number, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number order by u.place) end as target_columns,
      pg_get_constraintdef(k.oid) as definition
    from pg_class c
    join pg_constraint k on k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
    -- A foreign key to a partitioned table has another one to each partition.
    where c.relkind in ('r', 'p') and k.conparentid = 0 and ${own_relations}
    order by c.relname collate "C", position(k.contype::text in 'pufcx'), k.conname collate "C"`)

const readIndexes = (db: SqlStatementRunner) =>
  db.query<PgCatalogIndexRow>(sql`
    select c.relname::text as table, i.relname::text as name, x.indisunique as unique,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0] and x.indkey[0] > 0) as first_column,
      pg_get_indexdef(x.indexrelid) as definition
    from pg_class c
    join pg_index x on x.indrelid = c.oid
    join pg_class i on i.oid = x.indexrelid
    where c.relkind in ('r', 'p') and ${own_relations}
      and not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
    order by c.relname collate "C", i.relname collate "C"`)

const readPolicies = (db: SqlStatementRunner) =>
  db.query<PgCatalogPolicyRow>(sql`
    select c.relname::text as table, p.polname::text as name, p.polpermissive as permissive,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
      array(select coalesce(r.rolname::text, 'public') from unnest(p.polroles) as u (id)
        left join pg_roles r on r.oid = u.id order by 1) as roles,
      pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
    from pg_class c
    join pg_policy p on p.polrelid = c.oid
    where ${own_relations}
    order by c.relname collate "C", p.polname collate "C"`)

const readGrants = (db: SqlStatementRunner) =>
  db.query<PgCatalogGrantRow>(sql`
    select c.relname::text as table, coalesce(r.rolname::text, 'public') as role, lower(g.privilege_type) as privilege
    from pg_class c
    cross join lateral aclexplode(c.relacl) as g
    left join pg_roles r on r.oid = g.grantee
    where c.relkind in ('r', 'p') and g.grantee <> c.relowner and ${own_relations}
    order by c.relname collate "C", 2, position(lower(g.privilege_type) in 'select insert update delete'), 3`)

const readFunctions = (db: SqlStatementRunner) =>
  db.query<PgCatalogFunctionRow>(sql`
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition,
      p.proacl is null or exists (select 1 from aclexplode(p.proacl) g where g.grantee = 0) as public_execute
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
      and not exists (select 1 from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    order by p.proname collate "C", 1`)

const readTriggers = (db: SqlStatementRunner) =>
  db.query<PgCatalogTriggerRow>(sql`
    select c.relname::text as table, t.tgname::text as name, p.proname::text as function, pg_get_triggerdef(t.oid) as definition
    from pg_class c
    join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
    join pg_proc p on p.oid = t.tgfoid
    where ${own_relations}
    order by c.relname collate "C", t.tgname collate "C"`)

const readOthers = (db: SqlStatementRunner) =>
  db.query<{ kind: string; name: string }>(sql`
    select 'relation' as kind, c.relname::text as name
    from pg_class c
    where c.relkind in ('v', 'm', 'S', 'f') and ${own_relations}
    union all
    select 'type', t.typname::text
    from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r')
      and not exists (select 1 from pg_depend e where e.classid = 'pg_type'::regclass and e.objid = t.oid and e.deptype = 'e')
    order by 1, 2`)

/** Reads the catalog; the rows are the same on every version from 15 to 18. */
export async function readSchemaCatalog(db: SqlStatementRunner): Promise<SchemaCatalog> {
  return {
    tables: await readTables(db),
    partitions: await readPartitions(db),
    columns: await readColumns(db),
    constraints: await readConstraints(db),
    indexes: await readIndexes(db),
    policies: await readPolicies(db),
    grants: await readGrants(db),
    functions: await readFunctions(db),
    triggers: await readTriggers(db),
    others: await readOthers(db),
  }
}
