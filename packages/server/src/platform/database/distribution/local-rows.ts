import type { SqlStatementRunner } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * Removes the rows that the coordinator had before their tables were distributed; returns the names of the tables. Citus copies
 * them to the nodes and hides what it has copied: it would take space for ever, and what an organization deletes would stay there.
 *
 * Only when all tables are distributed, because a foreign key of a table that is not looks for its rows here.
 */
export async function removeLocalRows(owner: SqlStatementRunner): Promise<string[]> {
  const rows = await owner.query<{ name: string }>(sql`
    select c.relname::text as name
    from pg_dist_partition d join pg_catalog.pg_class c on c.oid = d.logicalrelid
    where pg_relation_size(c.oid) > 0
    order by 1`)
  for (const { name } of rows)
    await owner.query(sql`select truncate_local_data_after_distributing_table(${`public."${name}"`}::regclass)`)
  return rows.map(({ name }) => name)
}
