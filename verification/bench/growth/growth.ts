import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import type { Figure } from '../figure.ts'
import { pool_size, startSearchServer } from '../search/search-server.ts'
import { measureInTurns, type Contender } from '../search/measure.ts'
import { installPgstac, type PeerServer } from '../search/pgstac.ts'
import { addItems, addOtherOrganizations, vacuumTables, withClient } from './fill.ts'
import { startPgstac } from './start-pgstac.ts'
import { growthQueries, type QueryTurn, type GrowthQuery, type QueryTarget } from './queries.ts'

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
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      items: { type: 'string', default: '1000000' },
      others: { type: 'string', default: '1000' },
      turns: { type: 'string', default: '150' },
      peer: { type: 'boolean', default: true },
    },
  })
  const [items, others, turns] = [Number(values.items), Number(values.others), Number(values.turns)]
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; up to ${items} items, ${turns} turns of each query`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-growth-'))
  try {
    return await withPostgresServer((server) => measure(folder, server, { items, others, turns, peer: values.peer }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface GrownServer {
  readonly target: QueryTarget
  readonly url: string
  stop(): Promise<void>
}

/** The product on a database of its own with the first items of the series. */
async function startServerWithItems(folder: string, server: string): Promise<GrownServer> {
  await mkdir(folder, { recursive: true })
  const { url, drop } = await createTestDatabase(server)
  const { server: searchServer, destination, key } = await startSearchServer(folder, url, 0)
  const target = { url: searchServer.url, items: 0, destination, headers: { authorization: `Bearer ${key}` } }
  const stop = async (): Promise<void> => {
    await searchServer.kill()
    await drop()
  }
  return { target: await grow(url, target, first_items), url, stop }
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
  const small = await startServerWithItems(join(folder, 'small'), server)
  const large = await startServerWithItems(join(folder, 'large'), server)
  let { target } = large
  let peer: PeerServer | null = null
  try {
    // The first measurement warms both servers up.
    await step('warm-up', small.target, target, plan)
    await step(`${target.items} items`, small.target, target, plan)
    while (target.items < plan.items) {
      target = await grow(large.url, target, Math.min(plan.items, target.items * 10))
      if (target.items < plan.items) await step(`${target.items} items`, small.target, target, plan)
    }
    const alone = await step(`${target.items} items`, small.target, target, plan)
    await withClient(large.url, async (client) => {
      await addOtherOrganizations(client, plan.others, items_of_others)
      await vacuumTables(client)
    })
    const besideOthers = await step(`with ${plan.others} other organizations`, small.target, target, plan)
    if (plan.peer) {
      peer = await openPeer(server, plan)
      await comparePeer(target, peer, plan)
    }
    return growthQueries.flatMap((query) =>
      createFigures(query, alone.get(query) ?? NaN, besideOthers.get(query) ?? NaN),
    )
  } finally {
    await peer?.stop()
    await large.stop()
    await small.stop()
  }
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

async function openPeer(server: string, { items }: GrowthPlan): Promise<PeerServer> {
  const folder = join(tmpdir(), 'swath-search-bench')
  await mkdir(folder, { recursive: true })
  const { url, drop } = await createTestDatabase(server)
  installPgstac(folder)
  const peer = await startPgstac({ folder, url }, items, pool_size)
  const stop = async (): Promise<void> => {
    await peer.stop()
    await drop()
  }
  return { url: peer.url, stop }
}

/** Printed, not enforced: pgstac also counts matches, for one organization only. */
async function comparePeer(target: QueryTarget, { url }: PeerServer, { turns }: GrowthPlan): Promise<void> {
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
