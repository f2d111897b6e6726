import { withServerClient } from '../../../packages/server/test/citus/cluster.ts'
import type { Tenant } from '../load/tenants.ts'

/** A copy has the id of its original with its number, hashed. */
const copyOf = (id: string): string => `md5(${id}::text || k)::uuid`

/** Columns that are not those of the original, by table; of assets only the blue band is copied, since they are most of the bytes. */
const copiedTables = [
  {
    table: 'items',
    where: 'true',
    changed: { id: copyOf('id'), stac_id: `stac_id || '-' || k`, name: `name || '-' || k` },
  },
  { table: 'item_features', where: 'true', changed: { item_id: copyOf('item_id') } },
  { table: 'assets', where: `key = 'blue'`, changed: { id: copyOf('id'), item_id: copyOf('item_id') } },
] as const

const counts = [
  'update item_counts set items = items * $2, found = found * $2 where organization_id = $1',
  'update item_months set found = found * $2 where organization_id = $1',
  'update item_properties set found = found * $2 where organization_id = $1',
] as const

/**
 * Makes of each item of the tenants so many, in the database: for more of them than a program serializes in an hour. All counts are those of
 * the items.
 */
export async function copyItems(database_url: string, tenants: readonly Tenant[], times: number): Promise<void> {
  if (times <= 1) return
  const start = performance.now()
  await withServerClient(database_url, async (client) => {
    for (const { organization } of tenants) {
      for (const { table, where, changed } of copiedTables) {
        const { rows } = await client.query<{ name: string }>(
          `select attname as name from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
          [table],
        )
        const columns = rows.map(({ name }) => name)
        const values = columns.map((name) => (changed as Readonly<Record<string, string>>)[name] ?? name)
        await client.query(
          `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
           from (select * from ${table} where organization_id = $1 and ${where}) original, generate_series(1, $2::integer - 1) k`,
          [organization, times],
        )
      }
      for (const statement of counts) await client.query(statement, [organization, times])
    }
  })
  console.log(`${times} of each item after ${((performance.now() - start) / 1000).toFixed(0)} s`)
}
