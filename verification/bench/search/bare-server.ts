import fastify from 'fastify'
import { Pool } from 'pg'

/**
 * The baseline for searches: a Fastify route, a statement written for the one query, the same tables. No authentication, no
 * authorization, no validation.
 */
const organization = `'${process.env['BARE_ORGANIZATION']}'`
const base = process.env['BARE_BASE'] ?? ''
// Without JIT, as the connections of the product: it takes longer to compile these statements than to run them. Each is planned once,
// which PostgreSQL would not choose for items in partitions.
const pool = new Pool({
  connectionString: process.env['BARE_DATABASE'],
  max: Number(process.env['BARE_POOL']),
  options: '-c jit=off -c plan_cache_mode=force_generic_plan',
})

const visibleItems = `from items i where i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`
const box = '(select ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))'

const createFeatureText = (rows: string, order: string): string => `
  select string_agg(f.feature, E',\\n' order by ${order})
  from (${rows}) p join item_features f on f.organization_id = ${organization} and f.item_id = p.id`

/** Materializes all matches once, for the count and for the page. */
const createMaterializedSearch = (where: string, limit: number, column = 'covers_from', order = 'desc'): string => `
  with found as materialized (select i.id, i.${column} as key ${visibleItems} and ${where})
  select (select count(*) from found) as matched,
    (${createFeatureText(`select * from found order by key ${order}, id limit ${limit}`, `p.key ${order}, p.id`)}) as features`

const inRetention = '(i.expires_at is null or i.expires_at > now())'

/**
 * Reads both the page and the count from an index. Like every right answer it has the items that began before the interval
 * and last into it, and none whose retention has ended: the expiry index finds those to subtract.
 */
const createIndexedSearch = (where: string, lasting: string, limit: number): string => `
  with lasting as materialized (select i.id, i.covers_from as key ${visibleItems} and ${inRetention} and ${lasting}),
  overdue as materialized (select i.covers_from ${visibleItems} and i.expires_at <= now()),
  page as materialized (
    select p.* from (
      (select i.id, i.covers_from as key ${visibleItems} and ${inRetention} and ${where} order by i.covers_from desc, i.id limit ${limit})
      union all select * from lasting) p
    order by p.key desc, p.id limit ${limit})
  select (select count(*) ${visibleItems} and ${where}) - (select count(*) from overdue i where ${where})
      + (select count(*) from lasting) as matched,
    (${createFeatureText('select * from page', 'p.key desc, p.id')}) as features`

const statements: Readonly<Record<string, string>> = {
  'one id': createMaterializedSearch('i.stac_id = any($1::text[])', 10),
  'one month': createIndexedSearch(
    'i.covers_from between $1::timestamptz and $2::timestamptz',
    'i.lasts and i.covers_from < $1::timestamptz and i.covers_to >= $1::timestamptz',
    10,
  ),
  polygon: createMaterializedSearch('ST_Intersects(i.geometry, (select ST_GeomFromGeoJSON($1::text)))', 10),
  'box of 10°': createMaterializedSearch(`ST_Intersects(i.geometry, ${box})`, 10),
  'box of 20° by 100°': createMaterializedSearch(`ST_Intersects(i.geometry, ${box})`, 10),
  'box of 20°, a year, few clouds first': createMaterializedSearch(
    `ST_Intersects(i.geometry, ${box}) and i.covers_from between $5::timestamptz and $6::timestamptz and i.cloud_cover < 20`,
    10,
    'cloud_cover',
    'asc',
  ),
  'box of 10°, 100 a page': createMaterializedSearch(`ST_Intersects(i.geometry, ${box})`, 100),
  'four properties, the world': createMaterializedSearch(
    `i.properties ->> 'platform' = 'sentinel-2a' and (i.properties ->> 'view:sun_elevation')::float8 > $1::float8
     and (i.cloud_cover < $2::float8 or (i.properties ->> 'quality')::float8 >= $3::float8)`,
    10,
  ),
  'newest first, 1,000 a page': createIndexedSearch('i.covers_from <= $1::timestamptz', 'false', 1000),
}

const app = fastify({ logger: false })
app.post('/bare', async (request, reply) => {
  const { name, values } = request.body as { name: string; values: unknown[] }
  const { rows } = await pool.query<{ matched: string; features: string | null }>({
    name,
    text: statements[name]!,
    values,
  })
  const { matched, features } = rows[0]!
  const text = (features ?? '').replaceAll('\u0001', base)
  return reply
    .type('application/geo+json; charset=utf-8')
    .send(`{"type":"FeatureCollection","features":[${text}],"context":{"matched":${matched}}}`)
})
process.stdout.write(`is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
