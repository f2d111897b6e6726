import { day_ms } from '@swath/geo/time-units.ts'
import { createRandom } from '../../prove/harness/random.ts'
import { post } from '../search/measure.ts'
import type { ItemDestination } from '../search/load.ts'

/** Seed of one query: the same turn gives the same query for every contender. */
export interface QueryTurn {
  readonly turn: number
}

/** The server that queries are sent to, and its number of items. */
export interface QueryTarget {
  readonly url: string
  readonly items: number
  readonly destination: ItemDestination
  readonly headers: Readonly<Record<string, string>>
}

/** One query, and the same one for pgstac; null if pgstac has no equivalent. */
export interface GrowthQuery {
  readonly name: string
  run(target: QueryTarget, turn: QueryTurn): Promise<Buffer>
  readonly runOnPeer: ((target: QueryTarget, turn: QueryTurn) => Promise<Buffer>) | null
}

const first_day = Date.UTC(2015, 0, 1)
const days = 3652

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

type Body = Readonly<Record<string, unknown>>

/** A search with the same body for both contenders. */
const search = (name: string, body: (target: QueryTarget, random: () => number) => Body): GrowthQuery => {
  const createRun = (path: string) => (target: QueryTarget, turn: QueryTurn) =>
    post(
      `${target.url}${path}`,
      { limit: 10, sortby: [{ field: 'datetime', direction: 'desc' }], ...body(target, createRandom(turn.turn)) },
      target.headers,
    )
  return { name, run: createRun('/assets/stac/search'), runOnPeer: createRun('/search') }
}

const operation = (
  name: string,
  input: (target: QueryTarget) => Body,
  peerPath: string | null = null,
): GrowthQuery => ({
  name,
  run: (target) => post(`${target.url}/v1/op/${name}`, input(target), target.headers),
  runOnPeer: peerPath === null ? null : (target) => get(`${target.url}${peerPath}`),
})

/** Boxes and intervals shrink as the number of items grows, so that each query matches about as many. */
const box_items = 25
const span_items = 100

function createBox({ items }: QueryTarget, random: () => number): number[] {
  const side = Math.sqrt((box_items / items) * 357 * 157)
  const [west, south] = [-179 + random() * (357 - side), -79 + random() * (157 - side)]
  return [west, south, west + side, south + side]
}

function createInterval({ items }: QueryTarget, random: () => number): string {
  const length_ms = (span_items / items) * days * day_ms
  const from = first_day + random() * (days * day_ms - length_ms)
  return `${new Date(from).toISOString()}/${new Date(from + length_ms).toISOString()}`
}

/** The ten queries whose time must not grow with the number of stored items. */
export const growthQueries: readonly GrowthQuery[] = [
  search('stac.search, newest 10', () => ({})),
  search('stac.search, one id', ({ items }, random) => ({ ids: [`scene-${1 + Math.floor(random() * items)}`] })),
  search('stac.search, box of 25', (target, random) => ({ bbox: createBox(target, random) })),
  search('stac.search, span of 100', (target, random) => ({ datetime: createInterval(target, random) })),
  operation('items.list', ({ destination }) => ({ project_id: destination.project, limit: 50 })),
  operation('items.search_org', () => ({ limit: 10 })),
  operation('collections.list', ({ destination }) => ({ project_id: destination.project })),
  operation('stac.collections.list', () => ({}), '/collections'),
  operation('stac.aggregate', () => ({})),
  operation('stac.queryables', () => ({}), '/queryables'),
]
