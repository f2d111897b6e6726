import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { startServer } from '../../prove/server-process.ts'
import { withServer } from '../../postgres-server.ts'
import type { Figure } from '../figure.ts'
import { pool_size, prepare, type Ground } from './ground.ts'
import { inTurns, median, post, timed, type Side } from './measure.ts'
import { fillPgstac, servePgstac, type Peer } from './pgstac.ts'
import { queries, queriesOf, type Query } from './queries.ts'

interface Plan {
  readonly items: number
  readonly searches: number
  readonly peer: boolean
}

type Ask = (body: object) => Promise<Buffer>

const warming = 300
const shares = { usual: 1.5, long: 2, walk: 2 }

/**
 * Searches of the product over HTTP compared with a hand-written statement behind a bare route, and with pgstac, alternating
 * in one run. `--items`, `--searches` of each kind; `--only postgres` or `embedded`; `--no-peer` skips pgstac.
 */
export async function benchSearch(words: readonly string[]): Promise<readonly Figure[]> {
  const { values } = parseArgs({
    args: [...words],
    allowNegative: true,
    options: {
      items: { type: 'string', default: '100000' },
      searches: { type: 'string', default: '90' },
      only: { type: 'string' },
      peer: { type: 'boolean', default: true },
    },
  })
  const plan = { items: Number(values.items), searches: Number(values.searches), peer: values.peer }
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; ${plan.items} items, ${plan.searches} searches of each kind`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-search-'))
  try {
    const figures = values.only === 'embedded' ? [] : await withServer((server) => onPostgres(folder, server, plan))
    if (values.only !== 'postgres') await onEmbedded(folder, plan)
    return figures
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const askOf = ({ house, key }: Ground): Ask => {
  const headers = { authorization: `Bearer ${key}` }
  return (body) => post(`${house.url}/assets/stac/search`, body, headers)
}

/** The body of the `next` link; null on the last page. */
const nextIn = (answer: Buffer): object | null => {
  const { links } = JSON.parse(answer.toString()) as { links: { rel: string; body?: object }[] }
  return links.find(({ rel }) => rel === 'next')?.body ?? null
}

const matchedIn = (answer: Buffer): number => {
  const { context, numberMatched } = JSON.parse(answer.toString('utf8')) as {
    context?: { matched: number }
    numberMatched?: number
  }
  return context?.matched ?? numberMatched ?? NaN
}

async function onPostgres(folder: string, server: string, plan: Plan): Promise<Figure[]> {
  const [own, theirs] = [await createTestDatabase(server), await createTestDatabase(server)]
  const ground = await prepare(folder, own.url, plan.items)
  const bare = await startServer(
    {
      BARE_DATABASE: own.url,
      BARE_ORGANIZATION: ground.holdings.organization,
      BARE_BASE: ground.house.url,
      BARE_POOL: String(pool_size),
    },
    fileURLToPath(new URL('./bare.ts', import.meta.url)),
  )
  const peerFolder = join(tmpdir(), 'swath-search-bench')
  await mkdir(peerFolder, { recursive: true })
  const place = { folder: peerFolder, url: theirs.url }
  if (plan.peer) await fillPgstac(place, own.url, ground.holdings, ground.house.url)
  const peer = plan.peer ? await servePgstac(place, pool_size) : null
  try {
    return [...(await compare(ground, bare.url, peer, plan)), ...(await walk(askOf(ground), plan))]
  } finally {
    await peer?.stop()
    await bare.kill()
    await ground.house.kill()
    await theirs.drop()
    await own.drop()
  }
}

async function compare(ground: Ground, bare: string, peer: Peer | null, plan: Plan): Promise<Figure[]> {
  const ask = askOf(ground)
  const figures: Figure[] = []
  const servers = (name: string): Side<Query>[] => [
    { name: 'ours', ask: ({ body }) => ask(body) },
    { name: 'bare', ask: ({ values }) => post(`${bare}/bare`, { name, values }) },
    ...(peer ? [{ name: 'pgstac', ask: ({ body }: Query) => post(`${peer.url}/search`, body) }] : []),
  ]
  // Warm-up of all servers.
  for (const name of ['one id', 'one month']) await inTurns(servers(name), queriesOf(name, warming, plan.items, 6))
  for (const [name, { limit }] of Object.entries(queries)) {
    const sides = servers(name)
    const many = limit > 100 ? Math.ceil(plan.searches / 3) : plan.searches
    await agree(name, sides, queriesOf(name, 2, plan.items, 7))
    await inTurns(sides, queriesOf(name, Math.ceil(many / 4), plan.items, 8))
    const [ours = NaN, lean = NaN, theirs = NaN] = await inTurns(sides, queriesOf(name, many, plan.items, 9))
    console.log(`${name}: ${ms(ours)}, bare ${ms(lean)}${peer ? `, pgstac ${ms(theirs)}` : ''}`)
    const must = limit > 100 ? shares.long : shares.usual
    figures.push({ name: `${name}: time / bare`, value: ours / lean, must, atMost: true })
    if (peer) figures.push({ name: `${name}: pgstac's time / ours`, value: theirs / ours, must: 1 })
  }
  return figures
}

const ms = (value: number): string => `${value.toFixed(2)} ms`

/** Throws unless all contenders match the same number of items. */
async function agree(name: string, sides: readonly Side<Query>[], searches: readonly Query[]): Promise<void> {
  for (const search of searches) {
    const counts = await Promise.all(sides.map(async (side) => matchedIn(await side.ask(search))))
    if (new Set(counts).size > 1) {
      throw new Error(`${name}: ${sides.map((side, index) => `${side.name} found ${counts[index]}`).join(', ')}`)
    }
  }
}

const page_size = 100
const far_row = 50_000

/** Follows pages of 100 to row 50,000; compares the time of that page with the first ones, and measures a direct jump. */
async function walk(ask: Ask, { items }: Plan): Promise<Figure[]> {
  const far = Math.min(far_row, items - 10 * page_size) / page_size
  const jump = await timed(() =>
    ask({ limit: page_size, page: far, sortby: [{ field: 'datetime', direction: 'desc' }] }),
  )
  const times: number[] = []
  let next: object | null = {}
  for (let page = 0; page <= far + 4 && next; page++) {
    const body = { limit: page_size, ...next }
    let answer: Buffer = Buffer.alloc(0)
    times.push(await timed(async () => void (answer = await ask(body))))
    next = nextIn(answer)
  }
  const [first, there] = [median(times.slice(1, 10)), median(times.slice(far - 4, far + 5))]
  console.log(
    `pages of ${page_size} in order: the first ${ms(first)}, at row ${far * page_size} ${ms(there)}; a jump there ${ms(jump)}`,
  )
  return [{ name: 'page at row 50,000 / first', value: there / first, must: shares.walk, atMost: true }]
}

/** Prints figures without bounds. */
async function onEmbedded(folder: string, plan: Plan): Promise<void> {
  console.log('the embedded database; figures only')
  const ground = await prepare(folder, null, plan.items)
  const ask = askOf(ground)
  try {
    for (const name of Object.keys(queries)) {
      const side: Side<Query> = { name, ask: ({ body }) => ask(body) }
      await inTurns([side], queriesOf(name, 3, plan.items, 8))
      const [time = NaN] = await inTurns([side], queriesOf(name, Math.ceil(plan.searches / 3), plan.items, 9))
      console.log(`${name}: ${ms(time)}`)
    }
    await walk(ask, { ...plan, items: Math.min(plan.items, 10_000) })
  } finally {
    await ground.house.kill()
  }
}
