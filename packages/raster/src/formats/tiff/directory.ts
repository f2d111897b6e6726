import { RasterFailure } from '../../failures.ts'
import type { NumberRun } from '../../types.ts'
import type { HeaderReader } from './header-reader.ts'

/** The first bytes of a TIFF: byte order, classic or big, and where the first directory lies. */
export interface TiffHeader {
  readonly littleEndian: boolean
  readonly big: boolean
  readonly firstDirectory: number
}

/** One field of a directory; its values lie at `offset`, inside the entry itself when they are small. */
export interface Field extends NumberRun {
  readonly tag: number
}

export type Directory = ReadonlyMap<number, Field>

const FIELD_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}

const MOST_FIELDS = 4096
const MOST_DIRECTORIES = 256
const MOST_VALUES = 1_048_576

/** Reads the 8 or 16 bytes at the start; anything but a TIFF is a `not_raster` failure. */
export async function readTiffHeader(reader: HeaderReader): Promise<TiffHeader> {
  const notTiff = (cause?: unknown): RasterFailure =>
    new RasterFailure('not_raster', 'the file is neither a TIFF nor a JPEG 2000 picture, by its first bytes', { cause })
  const view = await reader.read(0, 8).catch((error: unknown) => {
    throw error instanceof RasterFailure && error.kind === 'damaged' ? notTiff(error) : error
  })
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) throw notTiff()
  const littleEndian = order === 0x4949
  const version = view.getUint16(2, littleEndian)
  if (version === 42) return { littleEndian, big: false, firstDirectory: view.getUint32(4, littleEndian) }
  if (version !== 43 || view.getUint16(4, littleEndian) !== 8) throw notTiff()
  const rest = await reader.read(8, 8)
  return { littleEndian, big: true, firstDirectory: readLong8(rest, 0, littleEndian) }
}

/** Reads every directory of the chain, at most 256; a chain that bites its tail is a `damaged` failure. */
export async function readDirectories(reader: HeaderReader, header: TiffHeader): Promise<Directory[]> {
  const directories: Directory[] = []
  const seen = new Set<number>()
  let offset = header.firstDirectory
  while (offset !== 0 && directories.length < MOST_DIRECTORIES) {
    if (seen.has(offset)) throw new RasterFailure('damaged', 'the directories of the file form a loop')
    seen.add(offset)
    const { directory, next } = await readDirectory(reader, header, offset)
    directories.push(directory)
    offset = next
  }
  if (directories.length === 0) throw new RasterFailure('damaged', 'the TIFF contains no picture')
  return directories
}

async function readDirectory(
  reader: HeaderReader,
  { littleEndian, big }: TiffHeader,
  offset: number,
): Promise<{ directory: Directory; next: number }> {
  const counter = await reader.read(offset, big ? 8 : 2)
  const count = big ? readLong8(counter, 0, littleEndian) : counter.getUint16(0, littleEndian)
  if (count === 0 || count > MOST_FIELDS) {
    throw new RasterFailure('damaged', `a directory of the file claims to have ${count} fields`)
  }
  const start = offset + (big ? 8 : 2)
  const entryBytes = big ? 20 : 12
  const view = await reader.read(start, count * entryBytes + (big ? 8 : 4))
  const directory = new Map<number, Field>()
  for (let index = 0; index < count; index++) {
    const at = index * entryBytes
    const tag = view.getUint16(at, littleEndian)
    const type = view.getUint16(at + 2, littleEndian)
    const values = big ? readLong8(view, at + 4, littleEndian) : view.getUint32(at + 4, littleEndian)
    const size = FIELD_BYTES[type]
    // Unknown field types are to be skipped, says the TIFF specification; of two fields with one tag the first counts.
    if (size === undefined || directory.has(tag)) continue
    const valueAt = at + (big ? 12 : 8)
    const inline = values * size <= (big ? 8 : 4)
    const pointer = big ? readLong8(view, valueAt, littleEndian) : view.getUint32(valueAt, littleEndian)
    directory.set(tag, { tag, type, count: values, offset: inline ? start + valueAt : pointer })
  }
  const nextAt = count * entryBytes
  return { directory, next: big ? readLong8(view, nextAt, littleEndian) : view.getUint32(nextAt, littleEndian) }
}

/** All values of a numeric field; undefined where the directory has no such field. More than `most` values is `damaged`. */
export async function readNumbers(
  reader: HeaderReader,
  header: TiffHeader,
  directory: Directory,
  tag: number,
  most = 65_536,
): Promise<number[] | undefined> {
  const field = directory.get(tag)
  if (!field) return undefined
  if (field.count > Math.min(most, MOST_VALUES)) {
    throw new RasterFailure('damaged', `field ${tag} claims to have ${field.count} values`)
  }
  const size = FIELD_BYTES[field.type]!
  const view = await reader.read(field.offset, field.count * size)
  return Array.from({ length: field.count }, (_, index) =>
    readNumber(view, index * size, field.type, header.littleEndian),
  )
}

/** The first value of a numeric field, or `otherwise`. */
export async function readFirst(
  reader: HeaderReader,
  header: TiffHeader,
  directory: Directory,
  tag: number,
  otherwise: number,
): Promise<number> {
  return (await readNumbers(reader, header, directory, tag))?.[0] ?? otherwise
}

/** The raw bytes of a field, at most `most`. */
export async function readBytes(
  reader: HeaderReader,
  directory: Directory,
  tag: number,
  most: number,
): Promise<Uint8Array | undefined> {
  const field = directory.get(tag)
  if (!field) return undefined
  const length = field.count * FIELD_BYTES[field.type]!
  if (length > most) throw new RasterFailure('damaged', `field ${tag} claims to have ${length} bytes`)
  const view = await reader.read(field.offset, length)
  return new Uint8Array(view.buffer)
}

/** A text field up to its first zero byte; more than `most` bytes is `damaged`. */
export async function readText(
  reader: HeaderReader,
  directory: Directory,
  tag: number,
  most = 4_194_304,
): Promise<string | undefined> {
  const bytes = await readBytes(reader, directory, tag, most)
  if (!bytes) return undefined
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function readNumber(view: DataView, at: number, type: number, littleEndian: boolean): number {
  switch (type) {
    case 3:
      return view.getUint16(at, littleEndian)
    case 4:
    case 13:
      return view.getUint32(at, littleEndian)
    case 5:
      return view.getUint32(at, littleEndian) / view.getUint32(at + 4, littleEndian)
    case 6:
      return view.getInt8(at)
    case 8:
      return view.getInt16(at, littleEndian)
    case 9:
      return view.getInt32(at, littleEndian)
    case 10:
      return view.getInt32(at, littleEndian) / view.getInt32(at + 4, littleEndian)
    case 11:
      return view.getFloat32(at, littleEndian)
    case 12:
      return view.getFloat64(at, littleEndian)
    case 16:
    case 18:
      return readLong8(view, at, littleEndian)
    case 17:
      return Number(view.getBigInt64(at, littleEndian))
    default:
      return view.getUint8(at)
  }
}

// Positions beyond 2^53 cannot exist; as a plain number they fail the bounds checks that follow.
function readLong8(view: DataView, at: number, littleEndian: boolean): number {
  return Number(view.getBigUint64(at, littleEndian))
}
