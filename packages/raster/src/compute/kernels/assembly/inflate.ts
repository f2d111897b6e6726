import { adler32 } from './adler.ts'
import { decodeBlock, prepareHuffmanSymbols } from './inflate-blocks.ts'
import {
  alignStreamToByte,
  inflate_block_ended,
  inflate_stream_damaged,
  InflateStream,
  takeBits,
} from './inflate-stream.ts'
import { prepareRepeatPatterns } from './inflate-symbols.ts'

const memoryOfStream = memory.data(64, 16)

let prepared = false

/**
 * Inflates a zlib stream (RFC 1950 and 1951) of `fromBytes` into at most `toBytes` elsewhere. Answers how many bytes came
 * out, or a negative number where the stream is damaged, ends too early or holds more; never writes beyond `toBytes`.
 */
export function inflate(to: usize, toBytes: usize, from: usize, fromBytes: usize): i32 {
  if (!prepared) prepare()
  const stream = changetype<InflateStream>(memoryOfStream)
  stream.input = from
  stream.inputEnd = from + fromBytes
  stream.output = to
  stream.outputStart = to
  stream.outputEnd = to + toBytes
  stream.bits = 0
  stream.held = 0
  if (!readHeader(stream)) return inflate_stream_damaged
  let last: i64 = 0
  while (last == 0) {
    last = takeBits(stream, 1)
    if (last < 0 || decodeBlock(stream) != inflate_block_ended) return inflate_stream_damaged
  }
  alignStreamToByte(stream)
  const sum = takeBits(stream, 32)
  const bytes = stream.output - to
  return sum >= 0 && bswap<u32>(<u32>sum) == adler32(to, bytes) ? <i32>bytes : inflate_stream_damaged
}

function prepare(): void {
  prepareHuffmanSymbols()
  prepareRepeatPatterns()
  prepared = true
}

/** Deflate with a window of at most 32 KiB, without a dictionary. */
function readHeader(stream: InflateStream): bool {
  const header = <i32>takeBits(stream, 16)
  if (header < 0) return false
  const method = header & 0xff
  const flags = header >> 8
  return (method & 15) == 8 && method >> 4 <= 7 && (flags & 0x20) == 0 && ((method << 8) | flags) % 31 == 0
}
