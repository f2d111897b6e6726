import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import type { LedgerFixture } from './fixture.ts'

const tables = new WeakMap<Database, Promise<readonly string[]>>()

/** All tables of organizations, read from the catalog. */
const listTables = (database: Database): Promise<readonly string[]> => {
  const listing = tables.get(database) ?? readTables(database)
  tables.set(database, listing)
  return listing
}

async function readTables(database: Database): Promise<readonly string[]> {
  const rows = await database.unscoped.query<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and obj_description(oid, 'pg_class') = 'tenant'
    order by relname`)
  return rows.map((row) => row.name)
}

/** A digest of all rows of the organization in all tables. */
export async function computeDigest({ organization, proofDatabase: { database } }: LedgerFixture): Promise<string> {
  const names = await listTables(database)
  // There are more tables than a function may have arguments, hence the array.
  const sums = names.map(
    (name): Sql => sql`
      (select coalesce(sum(hash_record_extended(t, 0)), 0)::text || '/' || count(*)
       from ${sql.identifier(name, names)} t where t.organization_id = ${organization})`,
  )
  const [row] = await database.forOrganization(organization).query<{ digest: string }>(
    sql.prepared(sql`
    select array_to_string(array[${sql.join(sums)}], ' ') as digest`),
  )
  return row!.digest
}
