import { RasterFailure } from '../../failures.ts'
import type { DeferredNumberList } from '../../types.ts'
import type { TiffHeaderReader } from './header-reader.ts'

/** The first bytes of a TIFF: byte order, classic or big, and where the first directory lies. */
export interface TiffHeader {
  readonly littleEndian: boolean
  readonly big: boolean
  readonly firstDirectory: number
}

/** One field of a directory; its values lie at `offset`, inside the entry itself when they are small. */
export type TiffFieldEntry = DeferredNumberList

/** A directory whose fields are read when they are requested; undefined for a field that it does not have. */
export interface TiffDirectory {
  readonly fields: ReadonlyMap<number, TiffFieldEntry>
  readonly littleEndian: boolean
  /** All values of a numeric field. More than `most` values is `damaged`. */
  numbers(tag: number, most?: number): Promise<number[] | undefined>
  /** The first value of a numeric field, or `otherwise`. */
  first(tag: number, otherwise: number): Promise<number>
  /** The raw bytes of a field, at most `most`. */
  bytes(tag: number, most: number): Promise<Uint8Array | undefined>
  /** A text field up to its first zero byte; more than `most` bytes is `damaged`. */
  text(tag: number, most?: number): Promise<string | undefined>
}

type ReadNumber = (view: DataView, at: number, littleEndian: boolean) => number
const byte: ReadNumber = (view, at) => view.getUint8(at)
const long: ReadNumber = (view, at, littleEndian) => view.getUint32(at, littleEndian)
const slong: ReadNumber = (view, at, littleEndian) => view.getInt32(at, littleEndian)
// Positions beyond 2^53 cannot exist; as a plain number they fail the bounds checks that follow.
const long8: ReadNumber = (view, at, littleEndian) => Number(view.getBigUint64(at, littleEndian))
const ratioOf =
  (part: ReadNumber): ReadNumber =>
  (view, at, littleEndian) =>
    part(view, at, littleEndian) / part(view, at + 4, littleEndian)

/** The field types by their numbers: bytes of a value, and how it is read. */
const fieldTypes: Readonly<Record<number, readonly [bytes: number, read: ReadNumber]>> = {
  1: [1, byte],
  2: [1, byte],
  3: [2, (view, at, littleEndian) => view.getUint16(at, littleEndian)],
  4: [4, long],
  5: [8, ratioOf(long)],
  6: [1, (view, at) => view.getInt8(at)],
  7: [1, byte],
  8: [2, (view, at, littleEndian) => view.getInt16(at, littleEndian)],
  9: [4, slong],
  10: [8, ratioOf(slong)],
  11: [4, (view, at, littleEndian) => view.getFloat32(at, littleEndian)],
  12: [8, (view, at, littleEndian) => view.getFloat64(at, littleEndian)],
  13: [4, long],
  16: [8, long8],
  17: [8, (view, at, littleEndian) => Number(view.getBigInt64(at, littleEndian))],
  18: [8, long8],
}

const max_fields = 4096
const max_directories = 256
const max_values = 1_048_576

/** Reads the 8 or 16 bytes at the start; anything but a TIFF is a `not_raster` failure. */
export async function readTiffHeader(reader: TiffHeaderReader): Promise<TiffHeader> {
  const notTiff = (cause?: unknown): RasterFailure =>
    new RasterFailure('not_raster', 'the file is neither a TIFF nor a JPEG 2000 image, by its first bytes', { cause })
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
  return { littleEndian, big: true, firstDirectory: long8(rest, 0, littleEndian) }
}

/** Reads every directory of the chain, at most 256; a chain that bites its tail is a `damaged` failure. */
export async function readTiffDirectories(reader: TiffHeaderReader, header: TiffHeader): Promise<TiffDirectory[]> {
  const directories: TiffDirectory[] = []
  const seen = new Set<number>()
  let offset = header.firstDirectory
  while (offset !== 0 && directories.length < max_directories) {
    if (seen.has(offset))
      throw new RasterFailure('damaged', 'the list of images in the file leads back to its beginning')
    seen.add(offset)
    const { directory, next } = await readDirectory(reader, header, offset)
    directories.push(directory)
    offset = next
  }
  if (directories.length === 0) throw new RasterFailure('damaged', 'the TIFF contains no image')
  return directories
}

async function readDirectory(
  reader: TiffHeaderReader,
  { littleEndian, big }: TiffHeader,
  offset: number,
): Promise<{ directory: TiffDirectory; next: number }> {
  const counter = await reader.read(offset, big ? 8 : 2)
  const count = big ? long8(counter, 0, littleEndian) : counter.getUint16(0, littleEndian)
  if (count === 0 || count > max_fields) {
    throw new RasterFailure('damaged', `an image of the file is said to have ${count} TIFF fields`)
  }
  const start = offset + (big ? 8 : 2)
  const entryBytes = big ? 20 : 12
  const view = await reader.read(start, count * entryBytes + (big ? 8 : 4))
  const fields = new Map<number, TiffFieldEntry>()
  for (let index = 0; index < count; index++) {
    const at = index * entryBytes
    const tag = view.getUint16(at, littleEndian)
    const type = view.getUint16(at + 2, littleEndian)
    const values = (big ? long8 : long)(view, at + 4, littleEndian)
    const [size] = fieldTypes[type] ?? []
    // Unknown field types are to be skipped, says the TIFF specification; of two fields with one tag the first counts.
    if (size === undefined || fields.has(tag)) continue
    const valueAt = at + (big ? 12 : 8)
    const inline = values * size <= (big ? 8 : 4)
    const pointer = (big ? long8 : long)(view, valueAt, littleEndian)
    fields.set(tag, { type, count: values, offset: inline ? start + valueAt : pointer })
  }
  const nextAt = count * entryBytes
  const next = (big ? long8 : long)(view, nextAt, littleEndian)
  return { directory: createDirectory(reader, fields, littleEndian), next }
}

function createDirectory(
  reader: TiffHeaderReader,
  fields: ReadonlyMap<number, TiffFieldEntry>,
  littleEndian: boolean,
): TiffDirectory {
  const numbers: TiffDirectory['numbers'] = async (tag, most = 65_536) => {
    const field = fields.get(tag)
    if (!field) return undefined
    if (field.count > Math.min(most, max_values)) {
      throw new RasterFailure('damaged', `the TIFF field ${tag} is said to have ${field.count} values`)
    }
    const [size, read] = fieldTypes[field.type]!
    const view = await reader.read(field.offset, field.count * size)
    return Array.from({ length: field.count }, (_, index) => read(view, index * size, littleEndian))
  }
  const bytes: TiffDirectory['bytes'] = async (tag, most) => {
    const field = fields.get(tag)
    if (!field) return undefined
    const length = field.count * fieldTypes[field.type]![0]
    if (length > most) throw new RasterFailure('damaged', `the TIFF field ${tag} is said to have ${length} bytes`)
    return new Uint8Array((await reader.read(field.offset, length)).buffer)
  }
  return {
    fields,
    littleEndian,
    numbers,
    first: async (tag, otherwise) => (await numbers(tag))?.[0] ?? otherwise,
    bytes,
    text: async (tag, most = 4_194_304) => {
      const raw = await bytes(tag, most)
      const end = raw?.indexOf(0) ?? -1
      return raw && new TextDecoder().decode(end < 0 ? raw : raw.subarray(0, end))
    },
  }
}
