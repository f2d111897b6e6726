import {
  inflate_block_ended,
  inflate_stream_damaged,
  dropBits,
  inflate_block_continues,
  refillBits,
  InflateStream,
} from './inflate-stream.ts'
import {
  end_of_block_mark,
  code_length_mask,
  literal_count_mask,
  longer_code_mask,
  table_mark_bit,
} from './inflate-tables.ts'

export const literal_table_bits: u32 = 12
export const distance_table_bits: u32 = 8

/** Capacity for the longest codes: 288 letters make at most 144 more tables of 8 entries, 32 distances 16 more of 128. */
export const literalLengthTable = memory.data(((1 << literal_table_bits) + 144 * 8) * 4, 64)
/** The same letters joined; the longer codes are in the table of the single ones. */
export const joinedLiteralTable = memory.data((1 << literal_table_bits) * 4, 64)
export const inflateDistanceTable = memory.data(((1 << distance_table_bits) + 16 * 128) * 4, 64)

const letterOnes: u64 = ((<u64>1) << literal_table_bits) - 1
const distanceOnes: u64 = ((<u64>1) << distance_table_bits) - 1

/** The most bytes that one round of quick decoding writes: two literals and a longest match, in whole vectors. */
const max_output_step: usize = 16 + 258 + 32
/** The most bytes that one round of quick decoding reads ahead. */
const max_input_step: usize = 32

/** For every distance up to 16 the bytes of a vector that repeat what lies so far back, and how many are whole repeats. */
const repeats = memory.data(17 * 16, 16)
const repeatBytes = memory.data(17, 1)

/** Writes the patterns of short distances, once for each instance. */
export function prepareRepeatPatterns(): void {
  for (let distance: u32 = 1; distance <= 16; distance++) {
    for (let i: u32 = 0; i < 16; i++) store<u8>(repeats + distance * 16 + i, i % distance)
    store<u8>(repeatBytes + distance, 16 - (16 % distance))
  }
}

/** Decodes the rest of a block: quickly in the middle of the data, carefully near their ends. */
export function decodeHuffmanSymbols(stream: InflateStream): i32 {
  let state = inflate_block_continues
  while (state == inflate_block_continues) {
    const inside =
      stream.input + max_input_step <= stream.inputEnd && stream.output + max_output_step <= stream.outputEnd
    state = inside ? decodeQuickly(stream) : decodeCarefully(stream)
  }
  return state
}

/* @inline */ function letterAt(bits: u64): u64 {
  return <u64>load<u32>(joinedLiteralTable + ((<usize>(bits & letterOnes)) << 2))
}

/** The length of an entry, 0 for a literal; `before` still has the bits that tell it more exactly. */
/* @inline */ function lengthOf(entry: u64, before: u64): usize {
  if ((entry & (literal_count_mask | code_length_mask)) != 0) return <usize>(entry >> 8) & 255
  const more = (entry >> 25) & 7
  const added = (before >> ((entry & 63) - more)) & (((<u64>1) << more) - 1)
  return (<usize>(entry >> 16) & 511) + <usize>added
}

/* @inline */ function distanceAt(bits: u64): u64 {
  return <u64>load<u32>(inflateDistanceTable + ((<usize>(bits & distanceOnes)) << 2))
}

/* @inline */ function distanceOf(entry: u64, before: u64): usize {
  const own = before & (((<u64>1) << (entry & 63)) - 1)
  return <usize>((entry >> 16) + (own >> ((entry >> 8) & 15)))
}

/* @inline */ function isLonger(entry: u64): bool {
  return (entry & table_mark_bit) != 0 && (entry & longer_code_mask) != 0
}

/** The entry behind one whose code is longer than the table knows; its first bits are consumed already. */
/* @inline */ function longerAt(table: usize, tableBits: u32, entry: u64, bits: u64): u64 {
  const more = bits & (((<u64>1) << ((entry >> 28) & 7)) - 1)
  const behind = table + (((<usize>1) << tableBits) << 2)
  return <u64>load<u32>(behind + ((<usize>(((entry >> 16) & 4095) + more)) << 2))
}

/** Decodes until the block, or the space for quick decoding, ends; the bits below 64 of `held` count, whatever is above. */
function decodeQuickly(stream: InflateStream): i32 {
  const inputLast = stream.inputEnd - max_input_step
  const outputLast = stream.outputEnd - max_output_step
  const outputStart = stream.outputStart
  let input = stream.input
  let output = stream.output
  let held = <u64>stream.held
  let bits = stream.bits | (load<u64>(input) << held)
  // The next entry is looked up before bits are refilled: nobody waits for them then.
  let entry = letterAt(bits)
  do {
    bits |= load<u64>(input) << held
    input += <usize>((held ^ 63) >> 3) & 7
    held |= 56
    let before = bits
    bits >>= entry
    held -= entry
    store<u16>(output, <u16>(entry >> 16))
    output += <usize>(entry >> 6) & 3
    let length = <usize>(entry >> 8) & 255
    if (length == 0) {
      if ((entry & literal_count_mask) == 0) {
        if (isLonger(entry)) {
          entry = longerAt(literalLengthTable, literal_table_bits, entry, bits)
          before = bits
          bits >>= entry
          held -= entry
          store<u8>(output, <u8>(entry >> 16))
          output += <usize>(entry >> 6) & 1
        }
        if ((entry & end_of_block_mark) == end_of_block_mark)
          return keep(stream, input, output, bits, held, inflate_block_ended)
        if ((entry & table_mark_bit) != 0) return inflate_stream_damaged
        length = lengthOf(entry, before)
      }
      if (length == 0) {
        entry = letterAt(bits)
        continue
      }
    }
    entry = distanceAt(bits)
    if (isLonger(entry)) {
      bits >>= entry
      held -= entry
      entry = longerAt(inflateDistanceTable, distance_table_bits, entry, bits)
    }
    const distance = distanceOf(entry, bits)
    if ((entry & table_mark_bit) != 0 || distance > output - outputStart) return inflate_stream_damaged
    bits >>= entry
    held -= entry
    entry = letterAt(bits)
    repeat(output, distance, length)
    output += length
  } while (input <= inputLast && output <= outputLast)
  return keep(stream, input, output, bits, held, inflate_block_continues)
}

/** Writes down where quick decoding has come to. */
/* @inline */ function keep(stream: InflateStream, input: usize, output: usize, bits: u64, held: u64, state: i32): i32 {
  stream.input = input
  stream.output = output
  stream.bits = bits
  stream.held = <u32>held & 63
  return state
}

/** Writes `length` bytes, and up to 31 more, that repeat what lies `distance` back. */
/* @inline */ function repeat(output: usize, distance: usize, length: usize): void {
  const from = output - distance
  const near = min<usize>(distance, 16)
  const piece = i8x16.swizzle(v128.load(from), v128.load(repeats + (near << 4)))
  v128.store(output, piece)
  if (length <= 16) return
  if (distance >= 16) {
    for (let i: usize = 16; i < length; i += 16) v128.store(output + i, v128.load(from + i))
  } else {
    const step = <usize>load<u8>(repeatBytes + near)
    for (let i = step; i < length; i += step) v128.store(output + i, piece)
  }
}

/** One entry with everything that belongs to it; every bit and byte is checked. */
function decodeCarefully(stream: InflateStream): i32 {
  refillBits(stream)
  let entry = letterAt(stream.bits)
  if ((entry & literal_count_mask) == 0 && isLonger(entry) && dropBits(stream, literal_table_bits)) {
    entry = longerAt(literalLengthTable, literal_table_bits, entry, stream.bits)
  }
  const before = stream.bits
  if (!dropBits(stream, <u32>entry & 63) || !storeLiterals(stream, <u32>entry)) return inflate_stream_damaged
  let length = <usize>(entry >> 8) & 255
  if (length == 0) {
    if ((entry & literal_count_mask) != 0) return inflate_block_continues
    if ((entry & table_mark_bit) != 0)
      return (entry & end_of_block_mark) == end_of_block_mark ? inflate_block_ended : inflate_stream_damaged
    length = lengthOf(entry, before)
  }
  refillBits(stream)
  entry = distanceAt(stream.bits)
  if (isLonger(entry) && dropBits(stream, distance_table_bits)) {
    entry = longerAt(inflateDistanceTable, distance_table_bits, entry, stream.bits)
  }
  const distance = distanceOf(entry, stream.bits)
  if ((entry & table_mark_bit) != 0 || !dropBits(stream, <u32>entry & 63)) return inflate_stream_damaged
  if (distance > stream.output - stream.outputStart || length > stream.outputEnd - stream.output)
    return inflate_stream_damaged
  for (const end = stream.output + length; stream.output < end; stream.output++) {
    store<u8>(stream.output, load<u8>(stream.output - distance))
  }
  return inflate_block_continues
}

function storeLiterals(stream: InflateStream, entry: u32): bool {
  const count = <usize>(entry >> 6) & 3
  if (count > stream.outputEnd - stream.output) return false
  if (count > 0) store<u8>(stream.output, <u8>(entry >> 16))
  if (count > 1) store<u8>(stream.output, <u8>(entry >> 24), 1)
  stream.output += count
  return true
}
