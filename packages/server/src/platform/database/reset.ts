import type { Database } from './database.ts'
import { migrateSchema } from './migrate.ts'
import { withPrivilegeErrors } from './schema-owner.ts'

/**
 * Drops everything in the schema `public` and the tables of the queue; extensions remain, since creating them takes
 * seconds.
 */
const dropAll = `
  drop schema if exists boss cascade;
  do $$
  declare
    thing text;
  begin
    for thing in
      select c.oid::regclass::text from pg_class c
      -- A partition is dropped with its table, and its id then has no name.
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select 1 from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
    loop
      execute 'drop table if exists ' || thing || ' cascade';
    end loop;
    for thing in
      select p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    loop
      execute 'drop function if exists ' || thing || ' cascade';
    end loop;
    for thing in
      select c.oid::regclass::text from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
        and not exists (
          select 1 from pg_depend e where e.classid = 'pg_type'::regclass and e.objid = c.reltype and e.deptype = 'e')
    loop
      execute 'drop type if exists ' || thing || ' cascade';
    end loop;
  end
  $$`

/** Deletes all data and creates the schema again. */
export async function resetDatabase(database: Database, dir: string, service: string | null = null): Promise<void> {
  await withPrivilegeErrors(() => database.runScript(dropAll))
  await migrateSchema(database, dir, service)
}
