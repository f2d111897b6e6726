import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { withServer } from '../../postgres-server.ts'
import type { Figure } from '../figure.ts'
import { pool_size, prepare } from '../search/ground.ts'
import { inTurns, type Side } from '../search/measure.ts'
import { installPgstac, type Peer } from '../search/pgstac.ts'
import { addItems, addOthers, settleTables, withClient } from './fill.ts'
import { startPeer } from './peer.ts'
import { rows, type Asked, type Row, type Target } from './rows.ts'

interface Plan {
  readonly items: number
  readonly others: number
  readonly turns: number
  readonly peer: boolean
}

const first_items = 10_000
const items_of_others = 300
const must = { growth: 3, others: 1.2 }

/**
 * The time of ten queries while one organization grows in factors of ten from 10,000 items, and then while other organizations
 * are added, alternating with a server that has 10,000 items and one organization. `--items`: final count; `--others`:
 * organizations of 300 items; `--turns` of each query; `--no-peer` skips the comparison with pgstac at the end.
 */
export async function benchGrowth(words: readonly string[]): Promise<readonly Figure[]> {
  const { values } = parseArgs({
    args: [...words],
    allowNegative: true,
    options: {
      items: { type: 'string', default: '1000000' },
      others: { type: 'string', default: '1000' },
      turns: { type: 'string', default: '30' },
      peer: { type: 'boolean', default: true },
    },
  })
  const [items, others, turns] = [Number(values.items), Number(values.others), Number(values.turns)]
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; up to ${items} items, ${turns} turns of each query`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-growth-'))
  try {
    return await withServer((server) => measure(folder, server, { items, others, turns, peer: values.peer }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Grown {
  readonly target: Target
  readonly url: string
  stop(): Promise<void>
}

/** The product on a database of its own with the first items of the series. */
async function start(folder: string, server: string): Promise<Grown> {
  await mkdir(folder, { recursive: true })
  const { url, drop } = await createTestDatabase(server)
  const { house, holdings, key } = await prepare(folder, url, 0)
  const target = { url: house.url, items: 0, holdings, headers: { authorization: `Bearer ${key}` } }
  const stop = async (): Promise<void> => {
    await house.kill()
    await drop()
  }
  return { target: await grow(url, target, first_items), url, stop }
}

/** Inserts items up to the given total. */
async function grow(url: string, target: Target, items: number): Promise<Target> {
  const begun = performance.now()
  await withClient(url, async (client) => {
    await addItems(client, target.holdings, target.items, items)
    await settleTables(client)
  })
  console.log(`${items} items after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  return { ...target, items }
}

/** Time of each query relative to the small organization at the same step. */
type Times = ReadonlyMap<Row, number>

async function measure(folder: string, server: string, plan: Plan): Promise<Figure[]> {
  const small = await start(join(folder, 'small'), server)
  const large = await start(join(folder, 'large'), server)
  let { target } = large
  let peer: Peer | null = null
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
      await addOthers(client, plan.others, items_of_others)
      await settleTables(client)
    })
    const beside = await step(`with ${plan.others} other organizations`, small.target, target, plan)
    if (plan.peer) {
      peer = await openPeer(server, plan)
      await comparePeer(target, peer, plan)
    }
    return rows.flatMap((row) => figuresOf(row, alone.get(row) ?? NaN, beside.get(row) ?? NaN))
  } finally {
    await peer?.stop()
    await large.stop()
    await small.stop()
  }
}

const figuresOf = ({ name }: Row, alone: number, beside: number): Figure[] => [
  { name: `${name}: time / that of 10,000 items`, value: alone, must: must.growth, atMost: true },
  { name: `${name}: time / that without others`, value: beside / alone, must: must.others, atMost: true },
]

const sideOf = (row: Row, target: Target): Side<Asked> => ({
  name: `${target.items} items`,
  ask: (asked) => row.ask(target, asked),
})

const ms = (value: number): string => `${value.toFixed(1)} ms`

const turnsFrom = (first: number, count: number): Asked[] =>
  Array.from({ length: count }, (_, index) => ({ turn: first + index }))

async function step(name: string, small: Target, large: Target, { turns }: Plan): Promise<Times> {
  const times = new Map<Row, number>()
  for (const row of rows) {
    const sides = [sideOf(row, small), sideOf(row, large)]
    // Warm-up: the first search that finds an item serializes its Feature, in both organizations.
    await inTurns(sides, turnsFrom(1, turns))
    const [little = NaN, much = NaN] = await inTurns(sides, turnsFrom(1, turns))
    console.log(`${name}: ${row.name} ${ms(much)}, with 10,000 items ${ms(little)}`)
    times.set(row, much / little)
  }
  return times
}

async function openPeer(server: string, { items }: Plan): Promise<Peer> {
  const folder = join(tmpdir(), 'swath-search-bench')
  await mkdir(folder, { recursive: true })
  const { url, drop } = await createTestDatabase(server)
  installPgstac(folder)
  const peer = await startPeer({ folder, url }, items, pool_size)
  const stop = async (): Promise<void> => {
    await peer.stop()
    await drop()
  }
  return { url: peer.url, stop }
}

/** Printed, not enforced: pgstac also counts matches, for one organization only. */
async function comparePeer(target: Target, { url }: Peer, { turns }: Plan): Promise<void> {
  const other: Target = { ...target, url, headers: {} }
  for (const row of rows) {
    const { peer } = row
    if (!peer) continue
    const sides = [sideOf(row, target), { name: 'pgstac', ask: (asked: Asked) => peer(other, asked) }]
    const asked = Math.ceil(turns / 3)
    await inTurns(sides, turnsFrom(1, asked))
    const [ours = NaN, theirs = NaN] = await inTurns(sides, turnsFrom(1, asked))
    console.log(`${target.items} items: ${row.name} ${ms(ours)}, pgstac ${ms(theirs)}`)
  }
}
