import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a ZIP that is written by hand, so that each of its header fields can be wrong. */
export interface ZippedFile {
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
export function zipOf(files: readonly ZippedFile[], comment = ''): Buffer {
  const data: Buffer[] = []
  const directory: Buffer[] = []
  const places: number[] = []
  let at = 0
  for (const [index, file] of files.entries()) {
    const bytes = Buffer.from(file.data as Uint8Array)
    const packed = file.stored ? bytes : deflateRawSync(bytes)
    const name = Buffer.from(file.name)
    places[index] = file.sharedWith === undefined ? at : places[file.sharedWith]!
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE((file.flags ?? 0) | 0x800, 2)
    facts.writeUInt16LE(file.method ?? (file.stored ? 0 : 8), 4)
    facts.writeUInt32LE(file.crc ?? crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(file.size ?? bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((file.mode ?? 0) << 16) >>> 0, 6)
    tail.writeUInt32LE(places[index], 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, tail, name)
    if (file.sharedWith !== undefined) continue
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed])
    data.push(local)
    at += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...data, ...directory, end, Buffer.from(comment)])
}
