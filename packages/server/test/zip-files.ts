import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a ZIP that is written by hand, so that each of its header fields can be wrong. */
export interface TestZipEntry {
  readonly name: string
  readonly data: Uint8Array | string
  /** Unix mode with the file type; 0 when absent. */
  readonly mode?: number
  readonly stored?: boolean
  readonly flags?: number
  readonly method?: number
  /** Written to the central directory instead of the real value. */
  readonly size?: number
  readonly crc?: number
  /** Points to the data of the entry with this index. */
  readonly sharedWith?: number
}

/** Builds a ZIP of these entries (APPNOTE 6.3.3, without ZIP64). */
export function buildZip(files: readonly TestZipEntry[], comment = ''): Buffer {
  const localRecords: Buffer[] = []
  const centralDirectory: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const [index, file] of files.entries()) {
    const bytes = Buffer.from(file.data as Uint8Array)
    const compressed = file.stored ? bytes : deflateRawSync(bytes)
    const name = Buffer.from(file.name)
    offsets[index] = file.sharedWith === undefined ? offset : offsets[file.sharedWith]!
    const headerFields = Buffer.alloc(26)
    headerFields.writeUInt16LE(20, 0)
    headerFields.writeUInt16LE((file.flags ?? 0) | 0x800, 2)
    headerFields.writeUInt16LE(file.method ?? (file.stored ? 0 : 8), 4)
    headerFields.writeUInt32LE(file.crc ?? crc32(bytes), 10)
    headerFields.writeUInt32LE(compressed.length, 14)
    headerFields.writeUInt32LE(file.size ?? bytes.length, 18)
    headerFields.writeUInt16LE(name.length, 22)
    const centralFields = Buffer.alloc(14)
    centralFields.writeUInt32LE(((file.mode ?? 0) << 16) >>> 0, 6)
    centralFields.writeUInt32LE(offsets[index], 10)
    centralDirectory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), headerFields, centralFields, name)
    if (file.sharedWith !== undefined) continue
    const localRecord = Buffer.concat([Buffer.from('PK\x03\x04'), headerFields, name, compressed])
    localRecords.push(localRecord)
    offset += localRecord.length
  }
  const endRecord = Buffer.alloc(22)
  endRecord.write('PK\x05\x06', 'latin1')
  endRecord.writeUInt16LE(files.length, 8)
  endRecord.writeUInt16LE(files.length, 10)
  endRecord.writeUInt32LE(Buffer.concat(centralDirectory).length, 12)
  endRecord.writeUInt32LE(offset, 16)
  endRecord.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...localRecords, ...centralDirectory, endRecord, Buffer.from(comment)])
}
