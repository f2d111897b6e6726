/** One constant of the model. */
export interface Constant {
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

export type Constants = Readonly<Record<keyof typeof constants, number>>

export const readConstants = (): Constants =>
  Object.fromEntries(Object.entries(constants).map(([name, { value }]) => [name, value])) as Constants
