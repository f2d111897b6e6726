import { type ZipFileEntry, readArchiveEntry } from '../../../platform/zip/read-zip.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import { type ByteReader, createByteReader } from './byte-reader.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'
import { takeUniqueName, type TakenNames } from '../../../engine/input/unique-name.ts'
import { describeRepeatedName } from './repeated-names.ts'
import { readShpGeometries } from './shp-records.ts'
import { type DbfTextDecoder, createDbfDecoder } from './dbf-decoder.ts'

/** The values of a row by column; null for a row that is marked as deleted. */
type DbfRow = Readonly<Record<string, unknown>> | null

interface DbfColumn {
  readonly name: string
  readonly type: string
  readonly start: number
  readonly end: number
  readonly decimals: number
}

const header_bytes = 32
const column_terminator = 0x0d
const deleted_marker = 0x2a

/**
 * Reads the rows of a .dbf file (dBASE III and IV). Empty cells are null; dates become `YYYY-MM-DD`; integers that JSON
 * cannot represent exactly stay text.
 *
 * @param codePage the content of the .cpg file; null without one.
 */
async function* readDbfRows(
  file: ByteReader,
  name: string,
  codePage: string | null,
  notes: Set<string>,
): AsyncGenerator<DbfRow> {
  const header = Buffer.from((await file.take(header_bytes)) ?? [])
  if (header.length < header_bytes) throw damagedTable(name)
  const [rows, start, width] = [header.readUInt32LE(4), header.readUInt16LE(8), header.readUInt16LE(10)]
  if (start < header_bytes + 1 || width < 1) throw damagedTable(name)
  const decode = createDbfDecoder(codePage, header[29]!)
  const columns = parseColumns(Buffer.from((await file.take(start - header_bytes)) ?? []), width, decode, notes)
  for (let row = 0; row < rows; row++) {
    const cells = await file.take(width)
    if (cells === null) throw damagedTable(name)
    yield cells[0] === deleted_marker
      ? null
      : Object.fromEntries(columns.map((column) => [column.name, parseCell(cells, column, decode)]))
  }
}

const damagedTable = (name: string): VectorFailure =>
  new VectorFailure('damaged', `The table "${name}" is truncated or not a .dbf file. Upload the complete file.`)

function parseColumns(bytes: Buffer, width: number, decode: DbfTextDecoder, notes: Set<string>): DbfColumn[] {
  const columns: DbfColumn[] = []
  const taken: TakenNames = new Map()
  let start = 1
  for (let at = 0; at + 32 <= bytes.length && bytes[at] !== column_terminator; at += 32) {
    const raw = bytes.subarray(at, at + 11)
    const zero = raw.indexOf(0)
    const ownName = decode(zero < 0 ? raw : raw.subarray(0, zero)).trim() || `column_${columns.length + 1}`
    const name = takeUniqueName(ownName, taken)
    if (name !== ownName) notes.add(describeRepeatedName(ownName, name))
    const end = start + bytes[at + 16]!
    if (end > width) throw new VectorFailure('damaged', 'The columns of the table are wider than its rows.')
    const type = String.fromCharCode(bytes[at + 11]!)
    columns.push({ name, type, start, end, decimals: bytes[at + 17]! })
    start = end
  }
  return columns
}

function parseCell(cells: Buffer, column: DbfColumn, decode: DbfTextDecoder): unknown {
  const cell = cells.subarray(column.start, column.end)
  const parse = Object.hasOwn(parserByType, column.type) ? parserByType[column.type] : undefined
  return parse ? parse(cell, column) : trimText(decode(cell))
}

/** Padded with spaces, by some writers with zero bytes. */
const trimText = (text: string): string | null => text.replace(/\0[^]*$/, '').trim() || null

const parserByType: Readonly<Record<string, (cell: Buffer, column: DbfColumn) => unknown>> = {
  N: parseNumber,
  F: parseNumber,
  D: (cell) => {
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(cell.toString('latin1').trim()) ?? []
    return year === undefined || year === '0000' ? null : `${year}-${month}-${day}`
  },
  L: (cell) => ({ y: true, t: true, n: false, f: false })[cell.toString('latin1').trim().toLowerCase()] ?? null,
  I: (cell) => (cell.length === 4 ? cell.readInt32LE(0) : null),
  O: (cell) => (cell.length === 8 ? finiteOrNull(cell.readDoubleLE(0)) : null),
  // Memo files are not read, and the number of a memo is meaningless without.
  M: () => null,
}

function parseNumber(cell: Buffer, { decimals }: DbfColumn): number | string | null {
  const text = cell
    .toString('latin1')
    .replace(/\0[^]*$/, '')
    .trim()
  const value = text === '' || text.startsWith('*') ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return null
  return decimals === 0 && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)
    ? text
    : value
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The files of one layer by extension. */
export type ShapefileEntries = Readonly<Partial<Record<'shp' | 'dbf' | 'prj' | 'cpg', ZipFileEntry>>>

const max_text_bytes = 64 * 1024

/** The features of a shapefile: shapes and rows joined, one at a time in memory. */
export async function readShapefile(entries: ShapefileEntries, limits: VectorLimits): Promise<RawFeatures> {
  const { shp, dbf } = entries
  if (!shp || !dbf) {
    const missing = shp ? '.dbf' : '.shp'
    throw new VectorFailure(
      'damaged',
      `The archive has no ${missing} file for the shapefile. Include all of its files.`,
    )
  }
  const wkt = await readSmallText(entries.prj)
  if (wkt === null) {
    throw new VectorFailure(
      'no_place',
      'The shapefile has no .prj file, which defines its coordinate reference system. Include it.',
    )
  }
  const codePage = await readSmallText(entries.cpg)
  const notes = new Set<string>()
  return { crs: { wkt }, features: joinShapesAndRows({ shp, dbf, codePage }, limits, notes), notes }
}

async function readSmallText(entry: ZipFileEntry | undefined): Promise<string | null> {
  if (!entry || entry.size > max_text_bytes) return null
  return (await readArchiveEntry(entry)).toString('utf8').replace(/^\uFEFF/, '')
}

async function* joinShapesAndRows(
  { shp, dbf, codePage }: { readonly shp: ZipFileEntry; readonly dbf: ZipFileEntry; readonly codePage: string | null },
  limits: VectorLimits,
  notes: Set<string>,
): AsyncGenerator<RawFeature> {
  const files = [createByteReader(shp.open(), shp.name), createByteReader(dbf.open(), dbf.name)] as const
  try {
    const rows = readDbfRows(files[1], dbf.name, codePage, notes)
    for await (const geometry of readShpGeometries(files[0], shp.name, limits.feature_bytes)) {
      const { value, done } = await rows.next()
      if (done) {
        throw new VectorFailure(
          'damaged',
          `"${shp.name}" has more shapes than "${dbf.name}" has rows. Export it again.`,
        )
      }
      if (value !== null) yield { geometry, properties: value }
    }
  } finally {
    for (const file of files) file.close()
  }
}
