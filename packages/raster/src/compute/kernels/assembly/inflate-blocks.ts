import {
  alignStreamToByte,
  inflate_block_ended,
  inflate_stream_damaged,
  dropBits,
  refillBits,
  InflateStream,
  takeBits,
} from './inflate-stream.ts'
import {
  distance_table_bits,
  decodeHuffmanSymbols,
  inflateDistanceTable,
  literal_table_bits,
  joinedLiteralTable,
  literalLengthTable,
} from './inflate-symbols.ts'
import { buildHuffmanTable, end_of_block_mark, joinLiteralCodes, table_mark_bit } from './inflate-tables.ts'

const letter_count: u32 = 288
const distance_count: u32 = 32
const max_letters: u32 = 286
const max_distances: u32 = 30
const length_symbol_count: u32 = 19
const length_table_bits: u32 = 7
const end_of_block = 256

/** Meanings of symbols, as entries of tables without the bits of codes. */
const letters = memory.data(letter_count * 4, 16)
const distances = memory.data(distance_count * 4, 16)
const lengthSymbols = memory.data(length_symbol_count * 4, 16)
const lengthTable = memory.data((1 << length_table_bits) * 4, 16)
/** Lengths of codes, letters first. */
const codeLengths = memory.data(letter_count + distance_count, 16)
/** The order in which the lengths of the lengths' codes stand (RFC 1951, 3.2.7). */
const lengthOrder = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

/** Writes the meanings of symbols (RFC 1951, 3.2.5), once for each instance. */
export function prepareHuffmanSymbols(): void {
  for (let i: u32 = 0; i < 256; i++) store<u32>(letters + (i << 2), 0x40 | (i << 16))
  store<u32>(letters + end_of_block * 4, end_of_block_mark)
  let base: u32 = 3
  for (let i: u32 = 0; i < 28; i++) {
    const extra = i < 8 ? 0 : (i >> 2) - 1
    store<u32>(letters + ((257 + i) << 2), extra == 0 ? base << 8 : (extra << 25) | (base << 16) | extra)
    base += (<u32>1) << extra
  }
  store<u32>(letters + 285 * 4, 258 << 16)
  store<u32>(letters + 286 * 4, table_mark_bit)
  store<u32>(letters + 287 * 4, table_mark_bit)
  base = 1
  for (let i: u32 = 0; i < 30; i++) {
    const extra = i < 4 ? 0 : (i >> 1) - 1
    store<u32>(distances + (i << 2), (base << 16) | extra)
    base += (<u32>1) << extra
  }
  store<u32>(distances + 30 * 4, table_mark_bit)
  store<u32>(distances + 31 * 4, table_mark_bit)
  for (let i: u32 = 0; i < length_symbol_count; i++) store<u32>(lengthSymbols + (i << 2), i << 16)
}

/** Decodes one block after its first bit, which says whether it is the last one. */
export function decodeBlock(stream: InflateStream): i32 {
  const kind = takeBits(stream, 2)
  if (kind == 0) return copyStored(stream)
  if (kind == 1) return buildFixed() ? decodeHuffmanSymbols(stream) : inflate_stream_damaged
  return kind == 2 && readCodes(stream) ? decodeHuffmanSymbols(stream) : inflate_stream_damaged
}

function copyStored(stream: InflateStream): i32 {
  alignStreamToByte(stream)
  const sizes = takeBits(stream, 32)
  if (sizes < 0) return inflate_stream_damaged
  const bytes = <usize>(sizes & 0xffff)
  if (bytes != (<usize>(sizes >> 16) ^ 0xffff)) return inflate_stream_damaged
  alignStreamToByte(stream)
  if (bytes > stream.inputEnd - stream.input || bytes > stream.outputEnd - stream.output) return inflate_stream_damaged
  memory.copy(stream.output, stream.input, bytes)
  stream.input += bytes
  stream.output += bytes
  return inflate_block_ended
}

/** Whether the tables are those of the codes that a block need not describe. */
let fixed = false

/** Builds the codes that a block need not describe (RFC 1951, 3.2.6), unless the block before had them, too. */
function buildFixed(): bool {
  if (fixed) return true
  memory.fill(codeLengths, 8, 144)
  memory.fill(codeLengths + 144, 9, 112)
  memory.fill(codeLengths + 256, 7, 24)
  memory.fill(codeLengths + 280, 8, 8)
  memory.fill(codeLengths + letter_count, 5, distance_count)
  fixed = buildTables(letter_count, distance_count)
  return fixed
}

function buildTables(letterCount: u32, distanceCount: u32): bool {
  fixed = false
  if (!buildHuffmanTable(literalLengthTable, literal_table_bits, codeLengths, letterCount, letters, 1)) return false
  joinLiteralCodes(joinedLiteralTable, literalLengthTable, literal_table_bits)
  return buildHuffmanTable(
    inflateDistanceTable,
    distance_table_bits,
    codeLengths + letterCount,
    distanceCount,
    distances,
    0x101,
  )
}

/** Reads the codes of a block (RFC 1951, 3.2.7). */
function readCodes(stream: InflateStream): bool {
  const counts = takeBits(stream, 14)
  if (counts < 0) return false
  const letterCount = (<u32>counts & 31) + 257
  const distanceCount = ((<u32>counts >> 5) & 31) + 1
  if (letterCount > max_letters || distanceCount > max_distances) return false
  memory.fill(codeLengths, 0, length_symbol_count)
  for (let i: u32 = 0; i < ((<u32>counts >> 10) & 15) + 4; i++) {
    const length = takeBits(stream, 3)
    if (length < 0) return false
    store<u8>(codeLengths + load<u8>(lengthOrder + i), <u8>length)
  }
  if (!buildHuffmanTable(lengthTable, length_table_bits, codeLengths, length_symbol_count, lengthSymbols, 1))
    return false
  if (!readLengths(stream, letterCount + distanceCount)) return false
  return load<u8>(codeLengths + end_of_block) != 0 && buildTables(letterCount, distanceCount)
}

function readLengths(stream: InflateStream, count: u32): bool {
  let i: u32 = 0
  while (i < count) {
    refillBits(stream)
    const entry = load<u32>(lengthTable + ((<usize>stream.bits & 127) << 2))
    if ((entry & table_mark_bit) != 0 || !dropBits(stream, entry & 63)) return false
    const symbol = entry >> 16
    if (symbol < 16) {
      store<u8>(codeLengths + i++, <u8>symbol)
      continue
    }
    if (symbol == 16 && i == 0) return false
    const length = symbol == 16 ? load<u8>(codeLengths + i - 1) : <u8>0
    const more = symbol == 18 ? takeBits(stream, 7) + 8 : takeBits(stream, symbol - 14)
    const times = <u32>more + 3
    if (more < 0 || times > count - i) return false
    memory.fill(codeLengths + i, length, times)
    i += times
  }
  return true
}
