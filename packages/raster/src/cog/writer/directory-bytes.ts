/** The TIFF field types that are written. */
export type TiffFieldType = 'ascii' | 'short' | 'long' | 'rational' | 'double' | 'long8'

/** One field of a directory; `ascii` values are bytes of text with the closing zero, a `rational` is two values. */
export interface TiffField {
  readonly tag: number
  readonly type: TiffFieldType
  readonly values: ArrayLike<number>
}

const fieldTypes: Readonly<Record<TiffFieldType, readonly [code: number, size: number]>> = {
  ascii: [2, 1],
  short: [3, 2],
  long: [4, 4],
  rational: [5, 8],
  double: [12, 8],
  long8: [16, 8],
}

/** A field of text, closed with a zero byte as TIFF wants it. */
export function createTiffTextField(tag: number, text: string): TiffField {
  return { tag, type: 'ascii', values: Buffer.from(`${text}\0`, 'utf8') }
}

/**
 * The bytes of directories that follow each other from `start` on, each chained to the next and followed by its values
 * that do not fit inside. Little-endian, classic or BigTIFF. The length depends on the number of values only, so a
 * first pass with zeros tells where data can begin.
 */
export function encodeTiffDirectories(
  directories: readonly (readonly TiffField[])[],
  start: number,
  big: boolean,
): Buffer {
  const parts: Buffer[] = []
  let at = start
  for (const [index, fields] of directories.entries()) {
    const last = index === directories.length - 1
    const bytes = packDirectory(fields, at, big, last)
    parts.push(bytes)
    at += bytes.length
  }
  return Buffer.concat(parts)
}

function packDirectory(fields: readonly TiffField[], at: number, big: boolean, last: boolean): Buffer {
  const sorted = [...fields].sort((a, b) => a.tag - b.tag)
  const [countSize, entrySize, inlineSize] = big ? [8, 20, 8] : [2, 12, 4]
  const headSize = countSize + sorted.length * entrySize + inlineSize
  const outside = sorted.map((field) => {
    const size = countOf(field) * fieldTypes[field.type][1]
    return size > inlineSize ? size + (size % 2) : 0
  })
  const total = headSize + outside.reduce((sum, size) => sum + size, 0)
  const bytes = Buffer.alloc(total + (total % 2))
  if (big) bytes.writeBigUInt64LE(BigInt(sorted.length), 0)
  else bytes.writeUInt16LE(sorted.length, 0)
  let valueAt = headSize
  for (const [index, field] of sorted.entries()) {
    const entry = countSize + index * entrySize
    const [code] = fieldTypes[field.type]
    bytes.writeUInt16LE(field.tag, entry)
    bytes.writeUInt16LE(code, entry + 2)
    writeWord(bytes, entry + 4, countOf(field), big)
    const inline = outside[index] === 0
    if (!inline) writeWord(bytes, entry + 4 + inlineSize, at + valueAt, big)
    writeValues(bytes, inline ? entry + 4 + inlineSize : valueAt, field)
    valueAt += outside[index]!
  }
  writeWord(bytes, headSize - inlineSize, last ? 0 : at + bytes.length, big)
  return bytes
}

const countOf = ({ type, values }: TiffField): number => (type === 'rational' ? values.length / 2 : values.length)

function writeWord(bytes: Buffer, at: number, value: number, big: boolean): void {
  if (big) bytes.writeBigUInt64LE(BigInt(value), at)
  else bytes.writeUInt32LE(value, at)
}

function writeValues(bytes: Buffer, at: number, { type, values }: TiffField): void {
  const size = type === 'rational' ? 4 : fieldTypes[type][1]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const to = at + i * size
    if (type === 'ascii') bytes[to] = value
    else if (type === 'short') bytes.writeUInt16LE(value, to)
    else if (type === 'long' || type === 'rational') bytes.writeUInt32LE(value, to)
    else if (type === 'double') bytes.writeDoubleLE(value, to)
    else bytes.writeBigUInt64LE(BigInt(value), to)
  }
}
