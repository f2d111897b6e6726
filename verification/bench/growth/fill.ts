import { Client } from 'pg'
import type { ItemDestination } from '../search/load.ts'
import { closeAtEnd } from '../../prove/harness/resources.ts'

/** Where items are inserted: an organization, one of its projects and the collections. */
const batch_size = 20_000

/** Runs work with one connection of its own as the owner of the database. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  await using client = closeAtEnd(new Client({ connectionString: url }))
  await client.connect()
  return await work(client)
}

/**
 * Columns of the item with the number `n`. Position, time and cloud cover are spread evenly by irrational steps, so that the
 * first thousand items are distributed like the first million, identically in every database.
 */
export const itemColumns = `
  'scene-' || n as stac_id,
  ST_MakeEnvelope(x, y, x + 0.05, y + 0.05, 4326) as geometry,
  timestamptz '2015-01-01 00:00Z' + mod(n * 0.6180339887498949, 1) * interval '3652 days' as at,
  round(mod(n * 0.3819660112501051, 1) * 100, 2)::float8 as cloud_cover,
  jsonb_build_object('platform', 'sentinel-2' || chr(97 + (n % 2)::int), 'view:sun_elevation', n % 80, 'quality', n % 100,
    'processing:level', 'L2A') as properties`

/** A derived table of the numbers from `$1` to `$2` with the south-west corner of each. */
export const numberedPoints = `
  (select n, (-179 + mod(n * 0.7548776662466927, 1) * 357)::float8 as x, (-79 + mod(n * 0.5698402909980532, 1) * 157)::float8 as y
   from generate_series($1::bigint, $2::bigint) n) made`

const insertItems = `
  insert into items (organization_id, id, project_id, collection_id, stac_id, type, name, geometry, bbox, datetime, covers_from,
                     covers_to, cloud_cover, gsd, properties, stac_assets, created_by, created_at, updated_at)
  select $3::uuid, gen_random_uuid(), $4::uuid, ($5::uuid[])[1 + n % cardinality($5::uuid[])], stac_id, 'external_reference', stac_id,
    geometry, array[ST_XMin(geometry), ST_YMin(geometry), ST_XMax(geometry), ST_YMax(geometry)], at, at, at, cloud_cover, 10,
    properties, '{}', 'bench', now() - n * interval '1 second', now()
  from (select n, ${itemColumns} from ${numberedPoints}) scenes`

/** Writes the item counts that the statements of the product update with each item, once all items are there. */
const countItems = [
  'delete from item_counts',
  `insert into item_counts (organization_id, project_id, collection_id, cloud, items, found)
   select organization_id, project_id, collection_id, item_cloud_band(cloud_cover), count(*), count(*) from items group by 1, 2, 3, 4`,
  'delete from item_months',
  `insert into item_months (organization_id, project_id, collection_id, month, found, west, south, east, north, earliest, latest, ends,
                            least_clouds, most_clouds, finest, coarsest)
   select organization_id, project_id, collection_id, item_month(covers_from), count(*), min(ST_XMin(geometry)), min(ST_YMin(geometry)),
     max(ST_XMax(geometry)), max(ST_YMax(geometry)), min(covers_from), max(covers_from), max(covers_to), min(cloud_cover),
     max(cloud_cover), min(gsd), max(gsd)
   from items group by 1, 2, 3, 4`,
  'delete from item_properties',
  `insert into item_properties (organization_id, project_id, collection_id, name, type, found)
   select organization_id, project_id, collection_id, p.name, p.type, count(*)
   from items cross join lateral item_property_types(properties) p group by 1, 2, 3, 4, 5`,
  `insert into storage_totals (organization_id, file_bytes, metadata_bytes)
   select organization_id, 0, sum(metadata_bytes + geometry_bytes) from items group by 1
   on conflict (organization_id) do update set metadata_bytes = excluded.metadata_bytes`,
]

async function writeCounts(client: Client): Promise<void> {
  await client.query(['begin', ...countItems, 'commit'].join(';\n'))
}

/** Inserts the items with the numbers after `from` up to `to`, and counts all items. */
export async function addItems(client: Client, destination: ItemDestination, from: number, to: number): Promise<void> {
  for (let done = from; done < to; done += batch_size) {
    await client.query(insertItems, [
      done + 1,
      Math.min(to, done + batch_size),
      destination.organization,
      destination.project,
      destination.collections,
    ])
  }
  await writeCounts(client)
}

const insertOthers = [
  `create temporary table others as select gen_random_uuid() as organization, gen_random_uuid() as project, gen_random_uuid() as collection
   from generate_series(1, $1::int)`,
  `insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
   select organization, project, 'Other', false, 'bench', now(), now() from others`,
  `insert into collections (organization_id, id, project_id, name, show_on_map, layer_order, auto_created, created_by, created_at, updated_at)
   select organization, collection, project, 'Other', true, 0, false, 'bench', now(), now() from others`,
]

const insertItemsOfOthers = `
  insert into items (organization_id, id, project_id, collection_id, stac_id, type, name, geometry, bbox, datetime, covers_from,
                     covers_to, cloud_cover, gsd, properties, stac_assets, created_by, created_at, updated_at)
  select o.organization, gen_random_uuid(), o.project, o.collection, stac_id, 'external_reference', stac_id, geometry,
    array[ST_XMin(geometry), ST_YMin(geometry), ST_XMax(geometry), ST_YMax(geometry)], at, at, at, cloud_cover, 10, properties, '{}',
    'bench', now() - n * interval '1 second', now()
  from (select n, ${itemColumns} from ${numberedPoints}) scenes
  join (select *, row_number() over (order by organization) as at_number from others) o on o.at_number % $3::int = n % $3::int`

/** Adds `count` other organizations, each with a project, a collection and `each` items. */
export async function addOtherOrganizations(client: Client, count: number, each: number): Promise<void> {
  const [table, ...rest] = insertOthers
  await client.query(table!, [count])
  for (const statement of rest) await client.query(statement)
  for (let done = 0; done < each; done += 1) {
    // One item of each organization at a time, so that the rows of organizations are interleaved as in production.
    await client.query(insertItemsOfOthers, [done * count + 1, (done + 1) * count, count])
  }
  await writeCounts(client)
}

/** Updates the planner statistics, and the visibility map for index-only scans, as autovacuum does within minutes. */
export const vacuumTables = (client: Client): Promise<unknown> => client.query('vacuum (analyze)')
