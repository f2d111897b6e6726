import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { getOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { postgresSettings, startServer } from '../../prove/server-process.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import type { Figure } from '../figure.ts'
import { measureInTurns, post, type Contender } from './measure.ts'
import { createQueries, queries, type SearchQuery } from './queries.ts'
import { pool_size, startSearchServer } from './search-server.ts'

interface PartitionsPlan {
  readonly items: number
  readonly searches: number
  readonly others: number
}

/** The largest slowdown by partitions where they cannot help: a search of the only organization. */
const max_ratio_alone = 1.05
/** Single kinds scatter by some hundredths. */
const max_ratio_of_kind = 1.1
const warm_up_searches = 1000

/**
 * Searches of one organization with items in partitions by the hash of the organization and in one table, alternating in one run: first
 * with the organization alone, then among others whose items lie in the same places. `--items` of the organization, `--others` with
 * a tenth as many items each, `--searches` of each kind.
 */
export async function benchPartitions(args: readonly string[]): Promise<readonly Figure[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      items: { type: 'string', default: '50000' },
      others: { type: 'string', default: '90' },
      searches: { type: 'string', default: '240' },
    },
  })
  const plan = { items: Number(values.items), searches: Number(values.searches), others: Number(values.others) }
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-partitions-'))
  try {
    return await withPostgresServer((server) => comparePartitions(folder, server, plan))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function comparePartitions(folder: string, server: string, plan: PartitionsPlan): Promise<Figure[]> {
  const partitioned = await createTestDatabase(server)
  const filled = await startSearchServer(folder, partitioned.url, plan.items)
  await filled.server.stop()
  const single = await createTestDatabase(server, new URL(partitioned.url).pathname.slice(1))
  try {
    await changeItems(single.url, 'select swath_partition_items(0)')
    const comparison: Comparison = { folder, urls: [partitioned.url, single.url], key: filled.key }
    const alone = await measure('alone', comparison, plan)
    for (const url of comparison.urls) await changeItems(url, addOthers(plan.others))
    const among = await measure(`among ${plan.others} others`, comparison, plan)
    return [
      ...alone.map(({ name, value }) => ({ name: `alone, ${name}`, value, must: max_ratio_of_kind, atMost: true })),
      { name: 'alone, mean of all', value: geometricMean(alone), must: max_ratio_alone, atMost: true },
      ...among.map(({ name, value }) => ({
        name: `among others, ${name}`,
        value,
        must: max_ratio_of_kind,
        atMost: true,
      })),
      { name: 'among others, mean of all', value: geometricMean(among), must: 1, atMost: true },
    ]
  } finally {
    await single.drop()
    await partitioned.drop()
  }
}

async function changeItems(url: string, script: string): Promise<void> {
  const database = await openPostgres({ url, pool_size: 1, statement_timeout_ms: 600_000 })
  try {
    await database.runScript(script)
    // Index-only scans need the visibility map.
    await getOwnerConnection(database).query(sql`vacuum (analyze) items`)
  } finally {
    await database.close()
  }
}

/** Organizations with copies of a tenth of the items, each of others; without assets and Features, which no search of the first reads. */
const addOthers = (count: number): string => `
  create temporary table other_organizations as select n, gen_random_uuid() as id from generate_series(1, ${count}) n;
  insert into projects select (jsonb_populate_record(p, jsonb_build_object('organization_id', o.id))).*
    from projects p, other_organizations o where p.organization_id in (select organization_id from items);
  insert into collections select (jsonb_populate_record(c, jsonb_build_object('organization_id', o.id))).*
    from collections c, other_organizations o where c.organization_id in (select organization_id from items);
  do $$
  declare
    names text;
  begin
    select string_agg(quote_ident(attname), ', ') into names from pg_attribute
    where attrelid = 'items'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'organization_id';
    execute format(
      'insert into items (organization_id, %1$s) select other_id, %1$s
       from (select *, row_number() over (order by id) as number from items) i
       join (select n, id from other_organizations) o (n, other_id) on i.number %% 10 = n %% 10',
      names);
  end
  $$`

interface Comparison {
  /** The data folder of both servers is in it. */
  readonly folder: string
  /** The database with partitions, and the one without. */
  readonly urls: readonly [string, string]
  readonly key: string
}

interface Ratio {
  readonly name: string
  /** Time with partitions / time with one table. */
  readonly value: number
}

/** Starts a server on each database and compares the times of all kinds of searches. */
async function measure(
  title: string,
  { folder, urls, key }: Comparison,
  { items, searches }: PartitionsPlan,
): Promise<Ratio[]> {
  const servers = []
  try {
    for (const url of urls) {
      const environment = { SWATH_DATA_DIR: join(folder, 'server'), DATABASE_POOL: String(pool_size) }
      servers.push(await startServer({ ...environment, ...(await postgresSettings(url)) }))
    }
    const contenders = servers.map(({ url }): Contender<SearchQuery> => ({
      name: url,
      run: ({ body }) => post(`${url}/assets/stac/search`, body, { authorization: `Bearer ${key}` }),
    }))
    for (const name of ['one id', 'one month'])
      await measureInTurns(contenders, createQueries(name, warm_up_searches, items, 6))
    const ratios: Ratio[] = []
    for (const name of Object.keys(queries)) {
      await measureInTurns(contenders, createQueries(name, Math.ceil(searches / 4), items, 8))
      const [inPartitions = NaN, inOne = NaN] = await measureInTurns(
        contenders,
        createQueries(name, searches, items, 9),
      )
      console.log(`${title}, ${name}: partitions ${inPartitions.toFixed(2)} ms, one table ${inOne.toFixed(2)} ms`)
      ratios.push({ name, value: inPartitions / inOne })
    }
    return ratios
  } finally {
    for (const server of servers) await server.kill()
  }
}

const geometricMean = (ratios: readonly Ratio[]): number =>
  Math.exp(ratios.reduce((sum, { value }) => sum + Math.log(value), 0) / ratios.length)
