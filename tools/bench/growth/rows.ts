import { randomFrom } from '../../prove/random.ts'
import { post } from '../search/measure.ts'
import type { Holdings } from './fill.ts'

/** Seed of one query: the same turn gives the same query for every contender. */
export interface Asked {
  readonly turn: number
}

/** The server that queries are sent to, and its number of items. */
export interface Target {
  readonly url: string
  readonly items: number
  readonly holdings: Holdings
  readonly headers: Readonly<Record<string, string>>
}

/** One query, and the same one for pgstac; null if pgstac has no equivalent. */
export interface Row {
  readonly name: string
  ask(target: Target, asked: Asked): Promise<Buffer>
  readonly peer: ((target: Target, asked: Asked) => Promise<Buffer>) | null
}

const day_ms = 86_400_000
const first_day = Date.UTC(2015, 0, 1)
const days = 3652

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

type Body = Readonly<Record<string, unknown>>

/** A search with the same body for both contenders. */
const search = (name: string, body: (target: Target, random: () => number) => Body): Row => {
  const ask = (path: string) => (target: Target, asked: Asked) =>
    post(
      `${target.url}${path}`,
      { limit: 10, sortby: [{ field: 'datetime', direction: 'desc' }], ...body(target, randomFrom(asked.turn)) },
      target.headers,
    )
  return { name, ask: ask('/assets/stac/search'), peer: ask('/search') }
}

const operation = (name: string, input: (target: Target) => Body, peerPath: string | null = null): Row => ({
  name,
  ask: (target) => post(`${target.url}/v1/op/${name}`, input(target), target.headers),
  peer: peerPath === null ? null : (target) => get(`${target.url}${peerPath}`),
})

/** Boxes and intervals shrink as the number of items grows, so that each query matches about as many. */
const box_items = 25
const span_items = 100

function boxOf({ items }: Target, random: () => number): number[] {
  const side = Math.sqrt((box_items / items) * 357 * 157)
  const [west, south] = [-179 + random() * (357 - side), -79 + random() * (157 - side)]
  return [west, south, west + side, south + side]
}

function spanOf({ items }: Target, random: () => number): string {
  const length_ms = (span_items / items) * days * day_ms
  const from = first_day + random() * (days * day_ms - length_ms)
  return `${new Date(from).toISOString()}/${new Date(from + length_ms).toISOString()}`
}

/** The ten queries whose time must not grow with the number of stored items. */
export const rows: readonly Row[] = [
  search('stac.search, newest 10', () => ({})),
  search('stac.search, one id', ({ items }, random) => ({ ids: [`scene-${1 + Math.floor(random() * items)}`] })),
  search('stac.search, box of 25', (target, random) => ({ bbox: boxOf(target, random) })),
  search('stac.search, span of 100', (target, random) => ({ datetime: spanOf(target, random) })),
  operation('items.list', ({ holdings }) => ({ project_id: holdings.project, limit: 50 })),
  operation('items.search_org', () => ({ limit: 10 })),
  operation('collections.list', ({ holdings }) => ({ project_id: holdings.project })),
  operation('stac.collections.list', () => ({}), '/collections'),
  operation('stac.aggregate', () => ({})),
  operation('stac.queryables', () => ({}), '/queryables'),
]
