import type { Constants } from './constants.ts'

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
export interface Need {
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
