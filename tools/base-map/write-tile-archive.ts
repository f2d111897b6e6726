import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { tileIdToZxy, zxyToTileId } from 'pmtiles'

/** The header fields of a PMTiles archive; the numbers are those of its specification (version 3). */
export interface ArchiveOptions {
  readonly compression: 'none' | 'brotli'
  readonly type: 'mvt' | 'webp'
  readonly metadata: object
}

interface Entry {
  readonly id: number
  run: number
  readonly offset: number
  readonly length: number
}

const header_length = 127
/** The header and the root directory are read at once. */
const max_root_bytes = 16_384 - header_length
const entries_per_leaf = 4096
const compressions = { none: 1, gzip: 2, brotli: 3 } as const
const types = { mvt: 1, webp: 4 } as const

/** Tiles of a pyramid by `z/x/y`. */
export type Tiles = ReadonlyMap<string, Buffer>

/** The bytes of a PMTiles archive: tiles in the order of the Hilbert curve, equal ones stored once. */
export function writeTileArchive(tiles: Tiles, { compression, type, metadata }: ArchiveOptions): Buffer {
  const ordered = [...tiles]
    .map(([name, bytes]) => {
      const [z, x, y] = name.split('/').map(Number)
      return { id: zxyToTileId(z!, x!, y!), bytes }
    })
    .toSorted((one, other) => one.id - other.id)
  const { entries, data, contents } = storeTiles(ordered)
  const { root, leaves } = writeDirectories(entries)
  const json = gzipSync(JSON.stringify(metadata))
  const header = Buffer.alloc(header_length)
  header.write('PMTiles')
  header[7] = 3
  const sections = [root, json, leaves, data]
  let offset = header_length
  for (const [at, section] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * at)
    header.writeBigUInt64LE(BigInt(section.length), 16 + 16 * at)
    offset += section.length
  }
  for (const [at, count] of [ordered.length, entries.length, contents].entries())
    header.writeBigUInt64LE(BigInt(count), 72 + 8 * at)
  header[96] = 1
  header[97] = compressions.gzip
  header[98] = compressions[compression]
  header[99] = types[type]
  header[100] = tileIdToZxy(ordered[0]!.id)[0]
  header[101] = tileIdToZxy(ordered.at(-1)!.id)[0]
  for (const [at, degrees] of [-180, -85.051_128_7, 180, 85.051_128_7].entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at)
  return Buffer.concat([header, ...sections])
}

function storeTiles(ordered: readonly { readonly id: number; readonly bytes: Buffer }[]) {
  const offsets = new Map<string, number>()
  const parts: Buffer[] = []
  const entries: Entry[] = []
  let end = 0
  for (const { id, bytes } of ordered) {
    const key = createHash('sha256').update(bytes).digest('base64')
    let offset = offsets.get(key)
    if (offset === undefined) {
      offset = end
      offsets.set(key, end)
      parts.push(bytes)
      end += bytes.length
    }
    const last = entries.at(-1)
    if (last && last.offset === offset && last.id + last.run === id) last.run++
    else entries.push({ id, run: 1, offset, length: bytes.length })
  }
  return { entries, data: Buffer.concat(parts), contents: parts.length }
}

/** One directory if it is read with the header, else a root of leaves. */
function writeDirectories(entries: readonly Entry[]): { readonly root: Buffer; readonly leaves: Buffer } {
  const alone = writeDirectory(entries)
  if (alone.length <= max_root_bytes) return { root: alone, leaves: Buffer.alloc(0) }
  const leaves: Buffer[] = []
  const pointers: Entry[] = []
  let offset = 0
  for (let at = 0; at < entries.length; at += entries_per_leaf) {
    const leaf = writeDirectory(entries.slice(at, at + entries_per_leaf))
    pointers.push({ id: entries[at]!.id, run: 0, offset, length: leaf.length })
    leaves.push(leaf)
    offset += leaf.length
  }
  return { root: writeDirectory(pointers), leaves: Buffer.concat(leaves) }
}

function writeDirectory(entries: readonly Entry[]): Buffer {
  const numbers = [
    entries.length,
    ...entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0)),
    ...entries.map(({ run }) => run),
    ...entries.map(({ length }) => length),
    // Zero: after the one before.
    ...entries.map(({ offset }, at) => {
      const before = entries[at - 1]
      return before && before.offset + before.length === offset ? 0 : offset + 1
    }),
  ]
  return gzipSync(Buffer.from(numbers.flatMap(writeVarint)), { level: 9 })
}

function writeVarint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}
