import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveBeside, type ServiceProcess } from '../../prove/harness/programs.ts'
import { createDatabase, createFolder } from '../../prove/harness/resources.ts'
import { startServer } from '../../prove/harness/server-process.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { describeMachine, median, readOptions, timed, type Figure } from '../runner.ts'
import { pool_size, startSearchServer, type SearchServer } from './search-server.ts'
import { createSearchContender, measureKind, post, warmUp, type Contender } from './measure.ts'
import { fillPgstac, servePgstac } from './pgstac.ts'
import { queries, createQueries, type SearchQuery } from './queries.ts'

interface SearchPlan {
  readonly items: number
  readonly searches: number
  readonly peer: boolean
}

const warm_up_searches = 2000
/** The bound of the ratio to a bare route is near its value, so that it is measured with more searches. */
const bare_repeats = 4
const max_ratios = { short: 1.5, long: 2, planned: 2, walk: 2 }

/**
 * Searches of the product over HTTP compared with a hand-written statement behind a bare route, and with pgstac, alternating
 * in one run. `--items`, `--searches` of each kind; `--only postgres` or `embedded`; `--no-peer` skips pgstac.
 */
export async function benchSearch(args: readonly string[]): Promise<readonly Figure[]> {
  const { items, searches, only, peer } = readOptions(args, {
    items: 100_000,
    searches: 90,
    only: '',
    peer: true,
  }).values
  const plan = { items, searches, peer }
  console.log(`${describeMachine()}; ${items} items, ${searches} searches of each kind`)
  await using folder = await createFolder('bench-search')
  const figures = only === 'embedded' ? [] : await withPostgresServer((server) => onPostgres(folder.path, server, plan))
  if (only !== 'postgres') await onEmbedded(folder.path, plan)
  return figures
}

const createOwn = ({ server, key }: SearchServer) => createSearchContender('ours', server.url, key)

/** The body of the `next` link; null on the last page. */
const readNextPage = (response: Buffer): object | null => {
  const { links } = JSON.parse(response.toString()) as { links: { rel: string; body?: object }[] }
  return links.find(({ rel }) => rel === 'next')?.body ?? null
}

const readMatchedCount = (response: Buffer): number => {
  const { context, numberMatched } = JSON.parse(response.toString('utf8')) as {
    context?: { matched: number }
    numberMatched?: number
  }
  return context?.matched ?? numberMatched ?? NaN
}

async function onPostgres(folder: string, server: string, plan: SearchPlan): Promise<Figure[]> {
  await using ownDatabase = await createDatabase(server)
  await using peerDatabase = await createDatabase(server)
  const searchServer = await startSearchServer(folder, ownDatabase.url, plan.items)
  await using product = searchServer.server
  await using bare = await startServer(
    {
      BARE_DATABASE: ownDatabase.url,
      BARE_ORGANIZATION: searchServer.destination.organization,
      BARE_BASE: product.url,
      BARE_POOL: String(pool_size),
    },
    resolveBeside(import.meta.url, './bare-server.ts'),
  )
  const installation = { folder: join(tmpdir(), 'swath-search-bench'), url: peerDatabase.url }
  await mkdir(installation.folder, { recursive: true })
  if (plan.peer) await fillPgstac(installation, ownDatabase.url, searchServer.destination, product.url)
  await using peer = plan.peer ? await servePgstac(installation, pool_size) : null
  return [...(await compare(searchServer, bare.url, peer, plan)), ...(await walkPages(createOwn(searchServer), plan))]
}

/**
 * Times of both in turns, after warm-up. Each comparison has turns of its own: a third program between two short searches
 * empties the caches of the processor, which costs the longer code path more and says nothing about a server that is busy.
 */
async function comparePair(
  name: string,
  contenders: readonly [Contender<SearchQuery>, Contender<SearchQuery>],
  { items, searches }: SearchPlan,
): Promise<{ ours: number; other: number }> {
  const searchCount = queries[name]!.limit > 100 ? Math.ceil(searches / 3) : searches
  await requireEqualCounts(name, contenders, createQueries(name, 2, items, 7))
  const [ours = NaN, other = NaN] = await measureKind(contenders, name, items, searchCount)
  return { ours, other }
}

async function compare(
  searchServer: SearchServer,
  bareUrl: string,
  peer: ServiceProcess | null,
  plan: SearchPlan,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const ours = createOwn(searchServer)
  const bare: Contender<SearchQuery> = {
    name: 'bare',
    run: ({ name, values }) => post(`${bareUrl}/bare`, { name, values }),
  }
  await warmUp([ours, bare], plan.items, warm_up_searches)
  for (const [name, { limit, isPlanned }] of Object.entries(queries)) {
    const times = await comparePair(name, [ours, bare], { ...plan, searches: plan.searches * bare_repeats })
    console.log(`${name}: ${formatMs(times.ours)}, bare ${formatMs(times.other)}`)
    const must = limit > 100 ? max_ratios.long : isPlanned ? max_ratios.planned : max_ratios.short
    figures.push({ name: `${name}: time / bare`, value: times.ours / times.other, must, atMost: true })
  }
  if (peer === null) return figures
  const pgstac: Contender<SearchQuery> = { name: 'pgstac', run: ({ body }) => post(`${peer.url}/search`, body) }
  for (const name of Object.keys(queries)) {
    const times = await comparePair(name, [ours, pgstac], plan)
    console.log(`${name}: ${formatMs(times.ours)}, pgstac ${formatMs(times.other)}`)
    figures.push({ name: `${name}: pgstac's time / ours`, value: times.other / times.ours, must: 1 })
  }
  return figures
}

const formatMs = (value: number): string => `${value.toFixed(2)} ms`

/** Throws unless all contenders match the same number of items. */
async function requireEqualCounts(
  name: string,
  contenders: readonly Contender<SearchQuery>[],
  searches: readonly SearchQuery[],
): Promise<void> {
  for (const search of searches) {
    const counts = await Promise.all(contenders.map(async (contender) => readMatchedCount(await contender.run(search))))
    if (new Set(counts).size > 1) {
      throw new Error(
        `${name}: ${contenders.map((contender, index) => `${contender.name} found ${counts[index]}`).join(', ')}`,
      )
    }
  }
}

const page_size = 100
const max_row = 50_000

/** Follows pages of 100 to row 50,000; compares the time of that page with the first ones, and measures a direct jump. */
async function walkPages({ run }: ReturnType<typeof createOwn>, { items }: SearchPlan): Promise<Figure[]> {
  const farPage = Math.min(max_row, items - 10 * page_size) / page_size
  const jumps: number[] = []
  for (let index = 0; index < 9; index++)
    jumps.push(
      await timed(() =>
        run({ body: { limit: page_size, page: farPage, sortby: [{ field: 'datetime', direction: 'desc' }] } }),
      ),
    )
  const times: number[] = []
  let next: object | null = {}
  for (let page = 0; page <= farPage + 4 && next; page++) {
    const body = { limit: page_size, ...next }
    let response: Buffer = Buffer.alloc(0)
    times.push(await timed(async () => void (response = await run({ body }))))
    next = readNextPage(response)
  }
  const [first, farTime] = [median(times.slice(1, 10)), median(times.slice(farPage - 4, farPage + 5))]
  console.log(
    `pages of ${page_size} in order: the first ${formatMs(first)}, at row ${farPage * page_size} ${formatMs(farTime)}; a jump there ${formatMs(median(jumps))}`,
  )
  return [{ name: 'page at row 50,000 / first', value: farTime / first, must: max_ratios.walk, atMost: true }]
}

/** Prints figures without bounds. */
async function onEmbedded(folder: string, plan: SearchPlan): Promise<void> {
  console.log('the embedded database; figures only')
  const searchServer = await startSearchServer(folder, null, plan.items)
  await using _server = searchServer.server
  const ours = createOwn(searchServer)
  for (const name of Object.keys(queries)) {
    const [time = NaN] = await measureKind([ours], name, plan.items, Math.ceil(plan.searches / 3))
    console.log(`${name}: ${formatMs(time)}`)
  }
  await walkPages(ours, { ...plan, items: Math.min(plan.items, 10_000) })
}
