import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { isNowhere, readable, whereOf, type ItemConditions } from './store.search.ts'

/** Counts of what a search finds. Months and bands of ten per cent are counted by what they begin with. */
export interface ItemCounts {
  readonly total: number
  readonly earliest: Date | null
  readonly latest: Date | null
  readonly months: readonly { readonly key: string; readonly count: number }[]
  /** The last band has the items without a cloud cover: its key is null. */
  readonly clouds: readonly { readonly key: number | null; readonly count: number }[]
  readonly collections: readonly { readonly key: string | null; readonly count: number }[]
}

const none: ItemCounts = { total: 0, earliest: null, latest: null, months: [], clouds: [], collections: [] }

/** Counts all items that fit, in one pass. A month is that in which the time of an item begins, in UTC. */
export async function countItems(db: Queryable, organization: string, conditions: ItemConditions): Promise<ItemCounts> {
  if (isNowhere(conditions)) return none
  const [row] = await db.query<ItemCounts>(sql`
    with ${readable(conditions)},
    found as materialized (
      select to_char(date_trunc('month', i.covers_from, 'UTC') at time zone 'UTC', 'YYYY-MM') as month,
             case when i.cloud_cover is not null then least(floor(greatest(i.cloud_cover, 0) / 10), 9)::int end as cloud, i.collection_id as collection, i.covers_from as at
      from items i where ${whereOf(organization, conditions)}),
    counted as materialized (
      select grouping(f.month, f.cloud, f.collection) as by, f.month, f.cloud, f.collection, count(*) as n
      from found f group by grouping sets ((f.month), (f.cloud), (f.collection)))
    select (select count(*) from found) as total,
      (select min(f.at) from found f) as earliest,
      (select max(f.at) from found f) as latest,
      (select coalesce(json_agg(json_build_object('key', c.month, 'count', c.n) order by c.month), '[]')
        from counted c where c.by = 3) as months,
      (select coalesce(json_agg(json_build_object('key', c.cloud, 'count', c.n) order by c.cloud nulls last), '[]')
        from counted c where c.by = 5) as clouds,
      (select coalesce(json_agg(json_build_object('key', c.collection, 'count', c.n) order by c.n desc, c.collection), '[]')
        from counted c where c.by = 6) as collections`)
  return row ?? none
}

/** Of the newest items that fit, the properties that they have, each with the types that it has in JSON. */
export async function listPropertyTypes(
  db: Queryable,
  organization: string,
  conditions: ItemConditions,
  most: number,
): Promise<{ name: string; types: string[] }[]> {
  return db.query<{ name: string; types: string[] }>(sql`
    with ${readable(conditions)},
    found as materialized (
      select i.properties from items i where ${whereOf(organization, conditions)} order by i.covers_from desc, i.id limit ${most})
    select p.key as name, array_agg(distinct jsonb_typeof(p.value)) as types
    from found f cross join lateral jsonb_each(f.properties) p
    where jsonb_typeof(p.value) <> 'null'
    group by p.key order by p.key collate "C" limit 500`)
}
