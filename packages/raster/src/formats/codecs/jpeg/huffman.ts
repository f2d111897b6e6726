import { RasterFailure } from '../../../failures.ts'

const QUICK_BITS = 9

/** A table of codes: short ones by one look-up, the rest by their length. */
export interface HuffmanTable {
  /** By the next nine bits: the code's length times 256 plus its symbol; 0 where the code is longer. */
  readonly quick: Uint16Array
  /** By length: the first number that is no code of this length any more, at the high end of 16 bits. */
  readonly ends: Int32Array
  /** By length: what to add to a code to find its symbol. */
  readonly shifts: Int32Array
  readonly symbols: Uint8Array
}

/** Builds the table of ITU T.81, annex C, from the number of codes of each length; too many codes are `damaged`. */
export function createHuffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const quick = new Uint16Array(1 << QUICK_BITS)
  const ends = new Int32Array(18)
  const shifts = new Int32Array(17)
  let code = 0
  let index = 0
  for (let length = 1; length <= 16; length++) {
    shifts[length] = index - code
    for (let left = counts[length - 1]!; left > 0; left--, code++, index++) {
      if (code >> length !== 0) throw new RasterFailure('damaged', 'a JPEG block of the file has impossible codes')
      if (length > QUICK_BITS) continue
      const first = code << (QUICK_BITS - length)
      quick.fill(length * 256 + symbols[index]!, first, first + (1 << (QUICK_BITS - length)))
    }
    ends[length] = code << (16 - length)
    code <<= 1
  }
  ends[17] = 0x7fffffff
  return { quick, ends, shifts, symbols: Uint8Array.from(symbols) }
}

/** Reads the coded data of a scan bit by bit. */
export interface BitReader {
  /** The next symbol of a table. */
  readonly symbol: (table: HuffmanTable) => number
  /** A number of so many bits, the lower half of them negative (ITU T.81, figure F.12). */
  readonly signed: (bits: number) => number
  /** Passes over the restart marker that has to come next. */
  readonly restart: () => void
  /** Where the data ended: at a marker. */
  readonly end: () => number
}

/** A reader over the data from `start`; reading on beyond the marker that ends it is `damaged`. */
export function createBitReader(bytes: Uint8Array, start: number): BitReader {
  let at = start
  let buffer = 0
  let held = 0
  let made = 0

  // Keeps at least 16 bits; beyond the end of the data they are zeros, which nobody may use.
  const fill = (): void => {
    while (held <= 16) {
      const byte = bytes[at] ?? 0xff
      const escaped = byte !== 0xff || bytes[at + 1] === 0
      if (escaped) at += byte === 0xff ? 2 : 1
      else made += 8
      buffer = ((buffer << 8) | (escaped ? byte : 0)) & 0xffffff
      held += 8
    }
  }
  const take = (bits: number): void => {
    held -= bits
    if (held < made) throw new RasterFailure('damaged', 'a JPEG block of the file is cut short')
  }
  return {
    symbol({ quick, ends, shifts, symbols }) {
      if (held < 16) fill()
      const next = (buffer >>> (held - 16)) & 0xffff
      const entry = quick[next >>> (16 - QUICK_BITS)]!
      if (entry !== 0) {
        take(entry >>> 8)
        return entry & 255
      }
      let length = QUICK_BITS + 1
      while (next >= ends[length]!) length++
      if (length > 16) throw new RasterFailure('damaged', 'a JPEG block of the file contains an impossible code')
      take(length)
      return symbols[(next >>> (16 - length)) + shifts[length]!]!
    },
    signed(bits) {
      if (bits === 0) return 0
      if (held < 16) fill()
      const value = (buffer >>> (held - bits)) & ((1 << bits) - 1)
      take(bits)
      return value >= 1 << (bits - 1) ? value : value - (1 << bits) + 1
    },
    restart() {
      if (held - made >= 8 || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf8) !== 0xd0) {
        throw new RasterFailure('damaged', 'a JPEG block of the file lacks a restart marker')
      }
      at += 2
      buffer = held = made = 0
    },
    end: () => at,
  }
}
