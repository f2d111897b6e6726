import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { createDatabase, createFolder, disposeWith } from '../../prove/harness/resources.ts'
import { describeMachine, readOptions, type Figure } from '../runner.ts'
import { pool_size, startSearchServer } from '../search/search-server.ts'
import { measureInTurns, type Contender } from '../search/measure.ts'
import { installPgstac, runPypgstac, servePgstac, type PgstacInstallation } from '../search/pgstac.ts'
import { addItems, addOtherOrganizations, vacuumTables, withClient, itemColumns, numberedPoints } from './fill.ts'
import { growthQueries, type QueryTurn, type GrowthQuery, type QueryTarget } from './queries.ts'
import type { Client } from 'pg'
import type { ServiceProcess } from '../../prove/harness/programs.ts'

interface GrowthPlan {
  readonly items: number
  readonly others: number
  readonly turns: number
  readonly peer: boolean
}

const first_items = 10_000
const items_of_others = 300
const max_ratio = { growth: 3, others: 1.2 }

/**
 * The time of ten queries while one organization grows in factors of ten from 10,000 items, and then while other organizations
 * are added, alternating with a server that has 10,000 items and one organization. `--items`: final count; `--others`:
 * organizations of 300 items; `--turns` of each query; `--no-peer` skips the comparison with pgstac at the end.
 */
export async function benchGrowth(args: readonly string[]): Promise<readonly Figure[]> {
  const plan = readOptions(args, { items: 1_000_000, others: 1000, turns: 150, peer: true }).values
  console.log(`${describeMachine()}; up to ${plan.items} items, ${plan.turns} turns of each query`)
  await using folder = await createFolder('bench-growth')
  return await withPostgresServer((server) => measure(folder.path, server, plan))
}

interface GrownServer extends AsyncDisposable {
  readonly target: QueryTarget
  readonly url: string
}

/** The product on a database of its own with the first items of the series. */
async function startServerWithItems(folder: string, server: string): Promise<GrownServer> {
  await mkdir(folder, { recursive: true })
  const resources = new AsyncDisposableStack()
  const { url } = resources.use(await createDatabase(server))
  const { server: searchServer, destination, key } = await startSearchServer(folder, url, 0)
  resources.use(searchServer)
  const target = { url: searchServer.url, items: 0, destination, headers: { authorization: `Bearer ${key}` } }
  return disposeWith({ target: await grow(url, target, first_items), url }, () => resources.disposeAsync())
}

/** Inserts items up to the given total. */
async function grow(url: string, target: QueryTarget, items: number): Promise<QueryTarget> {
  const begun = performance.now()
  await withClient(url, async (client) => {
    await addItems(client, target.destination, target.items, items)
    await vacuumTables(client)
  })
  console.log(`${items} items after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  return { ...target, items }
}

/** Time of each query relative to the small organization at the same step. */
type TimeRatios = ReadonlyMap<GrowthQuery, number>

async function measure(folder: string, server: string, plan: GrowthPlan): Promise<Figure[]> {
  await using small = await startServerWithItems(join(folder, 'small'), server)
  await using large = await startServerWithItems(join(folder, 'large'), server)
  let { target } = large
  const measureStep = (name: string): Promise<TimeRatios> => step(name, small.target, target, plan)
  // The first measurement warms both servers up.
  await measureStep('warm-up')
  await measureStep(`${target.items} items`)
  while (target.items < plan.items) {
    target = await grow(large.url, target, Math.min(plan.items, target.items * 10))
    if (target.items < plan.items) await measureStep(`${target.items} items`)
  }
  const alone = await measureStep(`${target.items} items`)
  await withClient(large.url, async (client) => {
    await addOtherOrganizations(client, plan.others, items_of_others)
    await vacuumTables(client)
  })
  const besideOthers = await measureStep(`with ${plan.others} other organizations`)
  if (plan.peer) await comparePeer(target, server, plan)
  return growthQueries.flatMap((query) => createFigures(query, alone.get(query) ?? NaN, besideOthers.get(query) ?? NaN))
}

const createFigures = ({ name }: GrowthQuery, alone: number, besideOthers: number): Figure[] => [
  { name: `${name}: time / that of 10,000 items`, value: alone, must: max_ratio.growth, atMost: true },
  { name: `${name}: time / that without others`, value: besideOthers / alone, must: max_ratio.others, atMost: true },
]

const createContender = (query: GrowthQuery, target: QueryTarget): Contender<QueryTurn> => ({
  name: `${target.items} items`,
  run: (turnCount) => query.run(target, turnCount),
})

const formatMs = (value: number): string => `${value.toFixed(1)} ms`

const createTurns = (first: number, count: number): QueryTurn[] =>
  Array.from({ length: count }, (_, index) => ({ turn: first + index }))

async function step(name: string, small: QueryTarget, large: QueryTarget, { turns }: GrowthPlan): Promise<TimeRatios> {
  const times = new Map<GrowthQuery, number>()
  for (const query of growthQueries) {
    const contenders = [createContender(query, small), createContender(query, large)]
    // Warm-up: the first search that finds an item serializes its Feature, in both organizations.
    await measureInTurns(contenders, createTurns(1, turns))
    const [smallTime = NaN, largeTime = NaN] = await measureInTurns(contenders, createTurns(1, turns))
    console.log(`${name}: ${query.name} ${formatMs(largeTime)}, with 10,000 items ${formatMs(smallTime)}`)
    times.set(query, largeTime / smallTime)
  }
  return times
}

/** Printed, not enforced: pgstac also counts matches, for one organization only. */
async function comparePeer(target: QueryTarget, server: string, { items, turns }: GrowthPlan): Promise<void> {
  const folder = join(tmpdir(), 'swath-search-bench')
  await mkdir(folder, { recursive: true })
  await using database = await createDatabase(server)
  installPgstac(folder)
  await using peer = await startPgstac({ folder, url: database.url }, items, pool_size)
  const { url } = peer
  const other: QueryTarget = { ...target, url, headers: {} }
  for (const query of growthQueries) {
    const { runOnPeer } = query
    if (!runOnPeer) continue
    const contenders = [
      createContender(query, target),
      { name: 'pgstac', run: (turnCount: QueryTurn) => runOnPeer(other, turnCount) },
    ]
    const turnCount = Math.ceil(turns / 3)
    await measureInTurns(contenders, createTurns(1, turnCount))
    const [ownTime = NaN, peerTime = NaN] = await measureInTurns(contenders, createTurns(1, turnCount))
    console.log(`${target.items} items: ${query.name} ${formatMs(ownTime)}, pgstac ${formatMs(peerTime)}`)
  }
}

const collections = 3
const batch_size = 10_000

const insertItems = `
  insert into pgstac.items_staging (content)
  select jsonb_build_object(
    'type', 'Feature', 'stac_version', '1.0.0', 'id', stac_id, 'collection', 'scenes-' || n % ${collections},
    'geometry', ST_AsGeoJSON(geometry)::jsonb,
    'bbox', jsonb_build_array(ST_XMin(geometry), ST_YMin(geometry), ST_XMax(geometry), ST_YMax(geometry)),
    'properties', properties || jsonb_build_object('datetime', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                                                   'eo:cloud_cover', cloud_cover, 'gsd', 10),
    'links', '[]'::jsonb, 'assets', '{}'::jsonb)
  from (select n, ${itemColumns} from ${numberedPoints}) scenes`

const insertCollections = `
  select pgstac.create_collection(jsonb_build_object(
    'type', 'Collection', 'stac_version', '1.0.0', 'id', 'scenes-' || n, 'description', 'scenes', 'license', 'proprietary',
    'links', '[]'::jsonb, 'extent', jsonb_build_object('spatial', '{"bbox": [[-180, -90, 180, 90]]}'::jsonb,
                                                       'temporal', '{"interval": [["2015-01-01T00:00:00Z", null]]}'::jsonb)))
  from generate_series(0, ${collections - 1}) n`

async function fillPgstac(client: Client, items: number): Promise<void> {
  await client.query("set search_path = pgstac, public; update pgstac_settings set value = 'on' where name = 'context'")
  await client.query(insertCollections)
  for (let done = 0; done < items; done += batch_size) {
    await client.query(insertItems, [done + 1, Math.min(items, done + batch_size)])
  }
  await client.query('vacuum analyze')
}

/** Starts pgstac (installed by `npm run bench -- search`) with the same items and counting on, behind stac-fastapi. */
async function startPgstac(
  installation: PgstacInstallation,
  items: number,
  connections: number,
): Promise<ServiceProcess> {
  const startTime = performance.now()
  runPypgstac(installation, 'migrate')
  await withClient(installation.url, (client) => fillPgstac(client, items))
  console.log(`pgstac: ${items} items written in ${((performance.now() - startTime) / 1000).toFixed(0)} s`)
  return servePgstac(installation, connections)
}
