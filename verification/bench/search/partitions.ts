import { join } from 'node:path'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { getSchemaOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createDatabase, createFolder, closeAtEnd } from '../../prove/harness/resources.ts'
import { postgresSettings, startServer } from '../../prove/harness/server-process.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { readOptions, type Figure } from '../runner.ts'
import { createSearchContender, measureKind, warmUp, type Contender } from './measure.ts'
import { queries, type SearchQuery } from './queries.ts'
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
  const plan = readOptions(args, { items: 50_000, others: 90, searches: 240 }).values
  await using folder = await createFolder('bench-partitions')
  return await withPostgresServer((server) => comparePartitions(folder.path, server, plan))
}

async function comparePartitions(folder: string, server: string, plan: PartitionsPlan): Promise<Figure[]> {
  await using partitioned = await createDatabase(server)
  const filled = await startSearchServer(folder, partitioned.url, plan.items)
  await filled.server.stop()
  await using single = await createDatabase(server, new URL(partitioned.url).pathname.slice(1))
  await changeItems(single.url, 'select swath_partition_items(0)')
  const comparison: Comparison = { folder, urls: [partitioned.url, single.url], key: filled.key }
  const alone = await measure('alone', comparison, plan)
  for (const url of comparison.urls) await changeItems(url, addOthers(plan.others))
  const among = await measure(`among ${plan.others} others`, comparison, plan)
  return [...createFigures('alone', alone, max_ratio_alone), ...createFigures('among others', among, 1)]
}

const createFigures = (title: string, ratios: readonly Ratio[], max_mean: number): Figure[] => [
  ...ratios.map(({ name, value }) => ({ name: `${title}, ${name}`, value, must: max_ratio_of_kind, atMost: true })),
  { name: `${title}, mean of all`, value: geometricMean(ratios), must: max_mean, atMost: true },
]

async function changeItems(url: string, script: string): Promise<void> {
  await using database = closeAtEnd(await openPostgres({ url, pool_size: 1, statement_timeout_ms: 600_000 }))
  await database.runScript(script)
  // Index-only scans need the visibility map.
  await getSchemaOwnerConnection(database).query(sql`vacuum (analyze) items`)
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
  await using servers = new AsyncDisposableStack()
  const contenders: Contender<SearchQuery>[] = []
  for (const database_url of urls) {
    const environment = { SWATH_DATA_DIR: join(folder, 'server'), DATABASE_POOL: String(pool_size) }
    const { url } = servers.use(await startServer({ ...environment, ...(await postgresSettings(database_url)) }))
    contenders.push(createSearchContender(url, url, key))
  }
  await warmUp(contenders, items, warm_up_searches)
  const ratios: Ratio[] = []
  for (const name of Object.keys(queries)) {
    const [inPartitions = NaN, inOne = NaN] = await measureKind(contenders, name, items, searches)
    console.log(`${title}, ${name}: partitions ${inPartitions.toFixed(2)} ms, one table ${inOne.toFixed(2)} ms`)
    ratios.push({ name, value: inPartitions / inOne })
  }
  return ratios
}

const geometricMean = (ratios: readonly Ratio[]): number =>
  Math.exp(ratios.reduce((sum, { value }) => sum + Math.log(value), 0) / ratios.length)
