import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import type { World } from './world.ts'

const tables = new WeakMap<Database, Promise<readonly string[]>>()

/** All tables of organizations, read from the catalog. */
const tablesOf = (database: Database): Promise<readonly string[]> => {
  const known = tables.get(database) ?? readTables(database)
  tables.set(database, known)
  return known
}

async function readTables(database: Database): Promise<readonly string[]> {
  const rows = await database.across.query<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and obj_description(oid, 'pg_class') = 'tenant'
    order by relname`)
  return rows.map((row) => row.name)
}

/** A digest of all rows of the organization in all tables. */
export async function digestOf({ organization, ground: { database } }: World): Promise<string> {
  const names = await tablesOf(database)
  const sums = names.map(
    (name): Sql => sql`
      (select coalesce(sum(hash_record_extended(t, 0)), 0)::text || '/' || count(*)
       from ${sql.identifier(name, names)} t where t.organization_id = ${organization})`,
  )
  const [row] = await database.of(organization).query<{ digest: string }>(
    sql.kept(sql`
    select concat_ws(' ', ${sql.join(sums)}) as digest`),
  )
  return row!.digest
}
