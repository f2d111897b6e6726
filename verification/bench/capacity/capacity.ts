import type { Figure } from '../runner.ts'

/** One constant of the model. */
interface Constant {
  readonly value: number
  readonly unit: string
  /** Where the number is from; a constant that nobody measured says so. */
  readonly source: string
}

/** The constants of the model. Repeat the measurement and change the row when the code or the machine changes. */
export const constants = {
  item_bytes: {
    value: 2500,
    unit: 'bytes',
    source: 'a STAC item with its properties, compressed (judged from real catalogues)',
  },
  item_index_bytes: {
    value: 78,
    unit: 'bytes',
    source: 'GiST on the geometry and B-tree on organization, time and id, 2 million rows',
  },
  json_index_bytes: { value: 30, unit: 'bytes', source: 'each index on a JSON path (judged)' },
  json_indexes: { value: 4, unit: 'indexes', source: 'the properties that are filtered most' },
  search_ms: { value: 4, unit: 'ms of a core', source: 'bench -- search: box, time and cloud cover, limit 10' },
  tile_ms: { value: 6, unit: 'ms of a core', source: 'one block of four bands of 16 bits, WebP at effort 0' },
  tile_overhead: { value: 3, unit: 'times', source: 'reading, HTTP and garbage collection beside the pixels (judged)' },
  tile_bytes: { value: 25_000, unit: 'bytes', source: 'a tile of 256 pixels as WebP (judged)' },
  tile_reads: { value: 2, unit: 'ranges', source: 'of the object store for each tile that is rendered (judged)' },
  range_bytes: { value: 300_000, unit: 'bytes', source: 'a block of 512 pixels with its neighbours (judged)' },
  webhook_seconds: { value: 0.5, unit: 's', source: 'until a receiver has answered (judged)' },
  webhook_writes: { value: 4, unit: 'rows', source: 'event, delivery, attempt and its result' },
  webhook_bytes: { value: 1000, unit: 'bytes', source: 'of all its rows' },
  dead_share: { value: 0.05, unit: 'of receivers', source: 'that never answer (judged)' },
  dead_seconds: { value: 10, unit: 's', source: 'the timeout of an attempt, a setting' },
  writes_per_second: {
    value: 5000,
    unit: 'rows/s',
    source: 'small transactions on one PostgreSQL with synchronous commit (judged)',
  },
  cores_per_machine: { value: 16, unit: 'cores', source: 'the machine that the figures are for' },
  disk_bytes_per_machine: { value: 1e12, unit: 'bytes', source: 'NVMe of that machine' },
  network_bytes_per_second: { value: 1.25e9, unit: 'bytes/s', source: '10 Gbit/s' },
  connections_per_process: { value: 10_000, unit: 'sockets', source: 'open files of a process, a setting' },
} as const satisfies Record<string, Constant>

type Constants = Readonly<Record<keyof typeof constants, number>>

export const readConstants = (): Constants =>
  Object.fromEntries(Object.entries(constants).map(([name, { value }]) => [name, value])) as Constants

const nothing: PlannedLoad = {
  items: 0,
  searches_per_second: 0,
  tiles_per_second: 0,
  cdn_share: 0,
  webhooks_per_hour: 0,
  peak: 5,
}

/** The loads that an operator asks about first. */
const loads: Readonly<Record<string, PlannedLoad>> = {
  '1 billion items, 5,000 searches a second': { ...nothing, items: 1e9, searches_per_second: 5000 },
  '10,000 tiles a second, without a CDN': { ...nothing, tiles_per_second: 10_000 },
  '10,000 tiles a second, 90 % from a CDN': { ...nothing, tiles_per_second: 10_000, cdn_share: 0.9 },
  '1 million webhooks an hour': { ...nothing, webhooks_per_hour: 1e6 },
}

/**
 * Prints what each load needs, in machines of the constants, and what breaks first on one of them. It measures nothing: the
 * figure is that the model was computed for every load.
 */
export async function benchCapacity(): Promise<readonly Figure[]> {
  const given = readConstants()
  for (const [name, load] of Object.entries(loads)) {
    const needs = computeNeeds(load, given).filter(({ amount }) => amount > 0)
    console.log(`\n${name}`)
    for (const { resource, amount, unit, machines } of needs)
      console.log(`  ${resource}: ${formatAmount(amount)} ${unit}, ${machines.toFixed(2)} of one machine's`)
    const first = findFirstLimit(needs)
    console.log(
      `  breaks first: ${first.resource}${first.machines > 1 ? `, beyond 1/${first.machines.toFixed(1)} of this load on one machine` : ', not on one machine'}`,
    )
  }
  console.log('\nfrom these constants')
  for (const [name, { value, unit, source }] of Object.entries(constants))
    console.log(`  ${name} ${value} ${unit}: ${source}`)
  return [{ name: 'loads computed', value: Object.keys(loads).length, must: Object.keys(loads).length }]
}

/** A load to plan for. */
export interface PlannedLoad {
  readonly items: number
  readonly searches_per_second: number
  readonly tiles_per_second: number
  /** The share of tiles that a CDN answers. */
  readonly cdn_share: number
  readonly webhooks_per_hour: number
  /** The ratio of the busiest minute to the mean. */
  readonly peak: number
}

/** One resource that the load needs. */
interface Need {
  readonly resource: string
  readonly amount: number
  readonly unit: string
  /** How many machines, or processes, it takes of the kind in the constants; the largest breaks first. */
  readonly machines: number
}

/** The needs of a load; each is a product of constants, so that it can be followed by hand. */
export function computeNeeds(load: PlannedLoad, c: Constants): Need[] {
  const perItem_bytes = c.item_bytes + c.item_index_bytes + c.json_indexes * c.json_index_bytes
  const table_bytes = load.items * perItem_bytes
  const search_cores = (load.searches_per_second * c.search_ms) / 1000
  const origin_tiles = load.tiles_per_second * (1 - load.cdn_share)
  const tile_cores = (origin_tiles * c.tile_ms * c.tile_overhead) / 1000
  const webhooks_per_second = (load.webhooks_per_hour / 3600) * load.peak
  const webhook_sockets = webhooks_per_second * ((1 - c.dead_share) * c.webhook_seconds + c.dead_share * c.dead_seconds)
  const webhook_writes = webhooks_per_second * c.webhook_writes
  const rows: readonly (readonly [string, number, string, number])[] = [
    ['disk of the items and their indexes', table_bytes, 'bytes', c.disk_bytes_per_machine],
    ['cores of PostgreSQL for searches', search_cores, 'cores', c.cores_per_machine],
    ['cores that render tiles', tile_cores, 'cores', c.cores_per_machine],
    ['network of the origin for tiles', origin_tiles * c.tile_bytes, 'bytes/s', c.network_bytes_per_second],
    [
      'network from the object store',
      origin_tiles * c.tile_reads * c.range_bytes,
      'bytes/s',
      c.network_bytes_per_second,
    ],
    ['open sockets of webhooks at the peak', webhook_sockets, 'sockets', c.connections_per_process],
    ['rows written for webhooks at the peak', webhook_writes, 'rows/s', c.writes_per_second],
    [
      'disk of a month of webhooks',
      load.webhooks_per_hour * 24 * 30 * c.webhook_bytes,
      'bytes',
      c.disk_bytes_per_machine,
    ],
  ]
  return rows.map(([resource, amount, unit, perMachine]) => ({ resource, amount, unit, machines: amount / perMachine }))
}

/** The need that exceeds its machine by the largest factor. */
export const findFirstLimit = (needs: readonly Need[]): Need =>
  needs.reduce((first, need) => (need.machines > first.machines ? need : first))

const scales: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/** `2698 G` style: three or four digits and the letter of its thousand. */
export function formatAmount(amount: number): string {
  const [factor, letter] = scales.find(([scale]) => amount >= scale) ?? [1, '']
  const value = amount / factor
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))}${letter && ` ${letter}`}`
}
