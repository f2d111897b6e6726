/** The location of a field of a TIFF directory in the file. */
export interface TiffFieldLocation {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** Offset of the entry. */
  readonly at: number
  /** Offset of the values, inside the entry or elsewhere. */
  readonly values: number
}

export interface TiffLayout {
  readonly littleEndian: boolean
  readonly big: boolean
  readonly fields: readonly TiffFieldLocation[]
}

const valueBytes: Readonly<Record<number, number>> = { 3: 2, 4: 4, 5: 8, 12: 8, 16: 8 }
const max_fields = 400

/** Finds the fields of all directories of a valid TIFF; null if the bytes are not a TIFF. */
export function findFields(bytes: Uint8Array): TiffLayout | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const littleEndian = bytes[0] === 0x49
  const version = bytes.length > 16 ? view.getUint16(2, littleEndian) : 0
  if (bytes[0] !== bytes[1] || (version !== 42 && version !== 43)) return null
  const big = version === 43
  const word = (at: number): number =>
    big ? Number(view.getBigUint64(at, littleEndian)) : view.getUint32(at, littleEndian)
  const fields: TiffFieldLocation[] = []
  for (let start = word(big ? 8 : 4); start > 0 && start + 8 < bytes.length && fields.length < max_fields;) {
    const count = big ? word(start) : view.getUint16(start, littleEndian)
    const first = start + (big ? 8 : 2)
    const entryBytes = big ? 20 : 12
    for (let index = 0; index < count; index++) {
      const at = first + index * entryBytes
      const type = view.getUint16(at + 2, littleEndian)
      const valueCount = word(at + 4)
      const valueAt = at + (big ? 12 : 8)
      const inline = valueCount * (valueBytes[type] ?? 1) <= (big ? 8 : 4)
      const tag = view.getUint16(at, littleEndian)
      fields.push({ tag, type, count: valueCount, at, values: inline ? valueAt : word(valueAt) })
    }
    start = word(first + count * entryBytes)
  }
  return { littleEndian, big, fields }
}

/** The value of a field at an index. */
export function readValue(
  bytes: Uint8Array,
  { littleEndian }: TiffLayout,
  field: TiffFieldLocation,
  index: number,
): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = field.values + index * (valueBytes[field.type] ?? 1)
  if (at + 8 > bytes.length) return 0
  if (field.type === 3) return view.getUint16(at, littleEndian)
  return field.type === 16 ? Number(view.getBigUint64(at, littleEndian)) : view.getUint32(at, littleEndian)
}

/** Overwrites the value of a field at an index. */
export function writeValue(
  bytes: Uint8Array,
  { littleEndian }: TiffLayout,
  field: TiffFieldLocation,
  { index, value }: { readonly index: number; readonly value: number },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = field.values + index * (valueBytes[field.type] ?? 1)
  if (at + 8 > bytes.length) return
  if (field.type === 3) view.setUint16(at, value & 0xffff, littleEndian)
  else if (field.type === 12) view.setFloat64(at, value, littleEndian)
  else if (field.type === 16) view.setBigUint64(at, BigInt(Math.trunc(Math.max(0, value))), littleEndian)
  else if (valueBytes[field.type] === undefined) bytes[at] = value & 255
  else view.setUint32(at, value >>> 0, littleEndian)
}

/** Overwrites a member of the entry: its tag, type or value count. */
export function writeEntry(
  bytes: Uint8Array,
  { littleEndian, big }: TiffLayout,
  field: TiffFieldLocation,
  { member, value }: { readonly member: 'tag' | 'type' | 'count'; readonly value: number },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (member === 'tag') view.setUint16(field.at, value & 0xffff, littleEndian)
  else if (member === 'type') view.setUint16(field.at + 2, value & 0xffff, littleEndian)
  else if (big) view.setBigUint64(field.at + 4, BigInt(Math.trunc(Math.max(0, value))), littleEndian)
  else view.setUint32(field.at + 4, value >>> 0, littleEndian)
}
