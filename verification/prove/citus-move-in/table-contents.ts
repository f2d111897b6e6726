import { withServerClient } from '../../../packages/server/test/citus/cluster.ts'

/** The rows of a table, and a sum over the hashes of their texts that does not depend on their order. */
interface TableContent {
  readonly rows: number
  readonly hash: string
}

/** The content of each table of the schema, by its name; with partitions and shards, whose rows are of their table. */
export type TableContents = ReadonlyMap<string, TableContent>

/** Tables that are no part of an extension and outlive a crash, with their columns by name: a table that was copied may have them in another order. */
const listTables = `
  select c.relname::text as name, array_agg(quote_ident(a.attname) order by a.attname) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
  group by 1 order by 1`

/** Reads everything as a superuser, whom no policy restricts. */
export async function readTableContents(database_url: string): Promise<TableContents> {
  const contents = new Map<string, TableContent>()
  await withServerClient(database_url, async (client) => {
    await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1`)
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(listTables)
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ rows: string; hash: string }>(`
        select count(*) as rows, coalesce(sum(hashtextextended(row(${columns.join(', ')})::text, 0)::numeric), 0)::text as hash
        from public."${name}"`)
      contents.set(name, { rows: Number(rows[0]!.rows), hash: rows[0]!.hash })
    }
  })
  return contents
}

/** A sentence for each table whose rows are not the same. */
export function compareContents(before: TableContents, after: TableContents): string[] {
  const differences: string[] = []
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [had, has] = [before.get(name), after.get(name)]
    if (had?.rows !== has?.rows)
      differences.push(`${name} had ${had?.rows ?? 'no'} rows and has ${has?.rows ?? 'none'}`)
    else if (had?.hash !== has?.hash) differences.push(`the ${had?.rows} rows of ${name} are not the same`)
  }
  return differences
}

/** `items 1000000, assets 9000000, …`: the tables with the most rows. */
export const describeContents = (contents: TableContents): string =>
  [...contents]
    .toSorted(([, one], [, other]) => other.rows - one.rows)
    .slice(0, 8)
    .map(([name, { rows }]) => `${name} ${rows}`)
    .join(', ')
