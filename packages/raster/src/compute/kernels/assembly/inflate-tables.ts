/**
 * Tables that decode Huffman codes (RFC 1951, 3.2.2) by looking up the next bits. In the table of letters, which are
 * literals and lengths, an entry is
 *
 * - bits 0 … 5: how many bits it consumes, those included that tell a length more exactly;
 * - bits 6, 7: how many literals it stands for, bits 16 … 23 the first and 24 … 31 the second;
 * - bits 8 … 15: the length that follows them, if its code fits in, too, and needs no more bits;
 * - without any literal or length here, bits 16 … 24 a length and bits 25 … 27 how many of the consumed bits are added to it,
 *   or one of the marks below.
 *
 * In the table of distances, bits 8 … 11 are the length of the code itself, bits 16 … 30 the distance to which the bits
 * that are consumed beyond the code are added, or a mark.
 */
export const literal_count_mask: u32 = 0xc0
export const code_length_mask: u32 = 0xff00
/** Set in all marks. As such, bits that no code begins with. */
export const table_mark_bit: u32 = 0x80000000
/** The end of the block. */
export const end_of_block_mark: u32 = 0x80010000
/** A longer code: here by how many bits it goes on, and from bit 16 on at which entry behind those of the table. */
export const longer_code_mask: u32 = 0x70000000

const max_code_bits: u32 = 15
const one_literal: u32 = 0x40

const lengthCounts = memory.data(16 * 4, 16)
const sortedSymbols = memory.data(288 * 2, 16)
const nextOfLength = memory.data(16 * 4, 16)

/**
 * Builds the table of a code from the lengths of its symbols (a byte each): `1 << tableBits` entries, and those of longer
 * codes behind. `meanings` has an entry without code for each symbol, to which `codeBit` is added for each bit of it. False where the lengths are no complete code; one
 * symbol alone, or none, is let through, as it is by zlib.
 */
export function buildHuffmanTable(
  table: usize,
  tableBits: u32,
  lengths: usize,
  symbols: u32,
  meanings: usize,
  codeBit: u32,
): bool {
  const longest = countLengths(lengths, symbols)
  if (longest < 0) return false
  store<u32>(table, table_mark_bit)
  let size: u32 = 1
  let code: u32 = 0
  let at = sortedSymbols
  for (let length: u32 = 1; length <= tableBits; length++) {
    memory.copy(table + (size << 2), table, size << 2)
    size <<= 1
    for (let left = countOf(length); left > 0; left--) {
      store<u32>(table + (code << 2), entryOf(meanings, load<u16>(at), length * codeBit))
      code = nextCode(code, size - 1)
      at += 2
    }
  }
  if (<u32>longest > tableBits) appendLonger(table, tableBits, code, at, meanings, codeBit)
  return true
}

/* @inline */ function countOf(length: u32): u32 {
  return load<u32>(lengthCounts + (length << 2))
}

/* @inline */ function entryOf(meanings: usize, symbol: u32, code: u32): u32 {
  return load<u32>(meanings + (symbol << 2)) + code
}

/** The code that follows, bits turned around: the first bit of a code is its lowest. */
/* @inline */ function nextCode(code: u32, ones: u32): u32 {
  const bit = (<u32>1) << (31 - clz(code ^ ones))
  return (code & (bit - 1)) | bit
}

/** Counts and sorts symbols by length; answers the longest length, or a negative number for a code that cannot be. */
function countLengths(lengths: usize, symbols: u32): i32 {
  memory.fill(lengthCounts, 0, 16 * 4)
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = lengthCounts + ((<u32>load<u8>(lengths + symbol)) << 2)
    store<u32>(count, load<u32>(count) + 1)
  }
  let space: i32 = 1
  let longest: i32 = 0
  let start: u32 = 0
  for (let length: u32 = 1; length <= max_code_bits; length++) {
    const count = countOf(length)
    store<u32>(nextOfLength + (length << 2), start)
    start += count
    space = (space << 1) - count
    if (space < 0) return -1
    if (count > 0) longest = length
  }
  if (space > 0 && longest > 1) return -1
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <u32>load<u8>(lengths + symbol)
    if (length == 0) continue
    const next = nextOfLength + (length << 2)
    const place = load<u32>(next)
    store<u16>(sortedSymbols + (place << 1), symbol)
    store<u32>(next, place + 1)
  }
  return longest
}

/** Tables of the codes longer than `tableBits`, one for each beginning. */
function appendLonger(table: usize, tableBits: u32, code: u32, at: usize, meanings: usize, codeBit: u32): void {
  const ones = ((<u32>1) << tableBits) - 1
  let beginning: u32 = -1
  let start: u32 = 0
  let end: u32 = 0
  const behind = table + ((<usize>ones + 1) << 2)
  let more: u32 = 0
  for (let length = tableBits + 1; length <= max_code_bits; length++) {
    for (let left = countOf(length); left > 0; left--) {
      if ((code & ones) != beginning) {
        beginning = code & ones
        start = end
        more = bitsAfter(tableBits, length, left)
        end += (<u32>1) << more
        store<u32>(table + (beginning << 2), table_mark_bit | (more << 28) | (start << 16) | (tableBits * codeBit))
      }
      const entry = entryOf(meanings, load<u16>(at), (length - tableBits) * codeBit)
      for (let i = code >> tableBits; i >> more == 0; i += (<u32>1) << (length - tableBits)) {
        store<u32>(behind + ((start + i) << 2), entry)
      }
      code = nextCode(code, ((<u32>1) << length) - 1)
      at += 2
    }
  }
}

/** Number of index bits of a complete table that begins with a code of `length`, of which there are `left`. */
function bitsAfter(tableBits: u32, length: u32, left: u32): u32 {
  let more = length - tableBits
  let used = left
  while (used < (<u32>1) << more) {
    more++
    used = (used << 1) + countOf(tableBits + more)
  }
  return more
}

/**
 * Writes the table of the code that was built last to `joined`, where the entries of one literal stand for what follows, too,
 * as far as their bits decide it: a second literal, or a length.
 */
export function joinLiteralCodes(joined: usize, table: usize, tableBits: u32): void {
  memory.copy(joined, table, 4 << tableBits)
  let shortest: u32 = 1
  while (shortest < tableBits && countOf(shortest) == 0) shortest++
  let code: u32 = 0
  for (let length: u32 = 1; length + shortest <= tableBits; length++) {
    for (let left = countOf(length); left > 0; left--) {
      const entry = load<u32>(table + (code << 2))
      if ((entry & literal_count_mask) != 0)
        joinFollowers(joined + (code << 2), table, entry, length, tableBits - length)
      code = nextCode(code, ((<u32>1) << length) - 1)
    }
  }
}

/** Joins one literal with all that the `rest` bits behind it can mean; four entries at a time. */
function joinFollowers(to: usize, table: usize, entry: u32, length: u32, rest: u32): void {
  const step = (<usize>4) << length
  if (rest < 2) {
    for (const end = table + (4 << rest); table < end; table += 4) {
      store<u32>(to, i32x4.extract_lane(joinFour(v128.splat<u32>(load<u32>(table)), entry, rest), 0))
      to += step
    }
    return
  }
  for (const end = table + (4 << rest); table < end; table += 16) {
    const four = joinFour(v128.load(table), entry, rest)
    v128.store_lane<u32>(to, four, 0)
    v128.store_lane<u32>(to + step, four, 1)
    v128.store_lane<u32>(to + step * 2, four, 2)
    v128.store_lane<u32>(to + step * 3, four, 3)
    to += step * 4
  }
}

/* @inline */ function joinFour(next: v128, entry: u32, rest: u32): v128 {
  const zero = v128.splat<u32>(0)
  const bits = v128.and(next, v128.splat<u32>(63))
  const single = v128.eq<u32>(v128.and(next, v128.splat<u32>(literal_count_mask)), zero)
  const literal = i32x4.shl(v128.and(next, v128.splat<u32>(0xff0000)), 8)
  const second = v128.or(v128.or(literal, bits), v128.splat<u32>(one_literal))
  const lengths = v128.and(next, v128.splat<u32>(code_length_mask))
  const third = v128.andnot(v128.or(lengths, bits), v128.eq<u32>(lengths, zero))
  const fits = v128.le<i32>(bits, v128.splat<i32>(rest))
  return v128.add<u32>(v128.splat<u32>(entry), v128.and(v128.bitselect(third, second, single), fits))
}
