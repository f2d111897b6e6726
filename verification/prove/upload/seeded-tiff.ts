import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** An image whose pixels are a function of the seed. */
export interface SeededImage {
  readonly seed: number
  /** Pixels per side; a multiple of `tile_side`. */
  readonly side: number
  /** Every sample is drawn by itself, so that no codec makes the file smaller. */
  readonly isNoise?: boolean
}

export const band_count = 4
const tile_side = 512

/** The 16-bit sample of a band at a pixel: slopes with blocks of noise, which compress like a scene. */
export function seededSample({ seed, isNoise }: SeededImage, band: number, column: number, row: number): number {
  const shift = isNoise ? 0 : 2
  let hash = Math.imul((column >> shift) ^ seed, 0x9e3779b1) ^ Math.imul((row >> shift) + band, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  if (isNoise) return Math.imul(hash ^ (hash >>> 12), 0x297a2d39) >>> 16
  return 1000 + band * 2000 + (column >> 4) + (row >> 3) + ((hash >>> 20) & 127)
}

type TiffEntry = readonly [tag: number, type: 3 | 4 | 12, values: readonly number[]]

const type_bytes = { 3: 2, 4: 4, 12: 8 } as const

/**
 * Writes the image as a plain tiled GeoTIFF in UTM zone 32 at 10 m: uncompressed, without overviews, pixel-interleaved.
 * Returns its size and SHA-256.
 */
export async function writeSeededTiff(image: SeededImage, path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  const file = createWriteStream(path)
  let size = 0
  const write = async (bytes: Buffer): Promise<void> => {
    size += bytes.length
    hash.update(bytes)
    if (!file.write(bytes)) await once(file, 'drain')
  }
  await write(createHeader(image))
  for (let top = 0; top < image.side; top += tile_side)
    for (let left = 0; left < image.side; left += tile_side) await write(createTile(image, left, top))
  file.end()
  await once(file, 'close')
  return { size, sha256: hash.digest('hex') }
}

function createTile(image: SeededImage, left: number, top: number): Buffer {
  const samples = new Uint16Array(tile_side * tile_side * band_count)
  let at = 0
  for (let row = top; row < top + tile_side; row++)
    for (let column = left; column < left + tile_side; column++)
      for (let band = 0; band < band_count; band++) samples[at++] = seededSample(image, band, column, row)
  return Buffer.from(samples.buffer)
}

/** Header, directory and value lists; the tiles follow directly (TIFF 6.0, sections 2 and 15; GeoTIFF 1.1). */
function createHeader({ side }: SeededImage): Buffer {
  const tiles = (side / tile_side) ** 2
  const tile_bytes = tile_side * tile_side * band_count * 2
  const entries = (begin: number): TiffEntry[] => [
    [256, 4, [side]],
    [257, 4, [side]],
    [258, 3, Array<number>(band_count).fill(16)],
    [259, 3, [1]],
    [262, 3, [1]],
    [277, 3, [band_count]],
    [284, 3, [1]],
    [322, 4, [tile_side]],
    [323, 4, [tile_side]],
    [324, 4, Array.from({ length: tiles }, (_, index) => begin + index * tile_bytes)],
    [325, 4, Array<number>(tiles).fill(tile_bytes)],
    [338, 3, Array<number>(band_count - 1).fill(0)],
    [339, 3, Array<number>(band_count).fill(1)],
    [33550, 12, [10, 10, 0]],
    [33922, 12, [0, 0, 0, 500_000, 5_600_000, 0]],
    [34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632]],
  ]
  return packHeader(entries)
}

/** Header, directory and value lists of a TIFF; `entries` gets the offset of the data that follow. */
export function packHeader(entries: (begin: number) => readonly TiffEntry[]): Buffer {
  const lists_bytes = entries(0).reduce((sum, [, type, values]) => sum + listBytes(values.length * type_bytes[type]), 0)
  const directory_bytes = 2 + entries(0).length * 12 + 4
  return packDirectory(entries(8 + directory_bytes + lists_bytes), 8 + directory_bytes, lists_bytes)
}

/** Bytes outside the directory; values that fit into the entry need none. */
const listBytes = (bytes: number): number => (bytes > 4 ? bytes + (bytes % 2) : 0)

function packDirectory(entries: readonly TiffEntry[], lists_at: number, lists_bytes: number): Buffer {
  const bytes = Buffer.alloc(lists_at + lists_bytes)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(entries.length, 8)
  let listOffset = lists_at
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = 10 + index * 12
    const length = values.length * type_bytes[type]
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(values.length, at + 4)
    if (length > 4) bytes.writeUInt32LE(listOffset, at + 8)
    writeValues(bytes, length > 4 ? listOffset : at + 8, type, values)
    listOffset += listBytes(length)
  }
  return bytes
}

function writeValues(bytes: Buffer, at: number, type: TiffEntry[1], values: readonly number[]): void {
  let to = at
  for (const value of values) {
    if (type === 3) to = bytes.writeUInt16LE(value, to)
    else if (type === 4) to = bytes.writeUInt32LE(value, to)
    else to = bytes.writeDoubleLE(value, to)
  }
}
