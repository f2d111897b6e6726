/** State of an inflation. */
@unmanaged
export class InflateStream {
  input: usize
  inputEnd: usize
  output: usize
  outputStart: usize
  outputEnd: usize
  /** The next bits, the first one lowest. Bits above those that are held are either zero or those that will follow. */
  bits: u64
  held: u32
}

/** The result of a step of an inflation; everything below zero is damage. */
export const inflate_block_continues: i32 = 0
export const inflate_block_ended: i32 = 1
export const inflate_stream_damaged: i32 = -1

/** Holds at least 56 bits, or all that are left. */
export function refillBits(stream: InflateStream): void {
  const input = stream.input
  const held = stream.held
  if (input + 8 <= stream.inputEnd) {
    stream.bits |= load<u64>(input) << (<u64>held)
    stream.input = input + ((63 - held) >> 3)
    stream.held = held | 56
    return
  }
  while (stream.held < 56 && stream.input < stream.inputEnd) {
    stream.bits |= (<u64>load<u8>(stream.input)) << (<u64>stream.held)
    stream.input++
    stream.held += 8
  }
}

/** Consumes bits; false if fewer are left. */
export function dropBits(stream: InflateStream, count: u32): bool {
  if (stream.held < count) return false
  stream.bits >>= <u64>count
  stream.held -= count
  return true
}

/** The next bits as a number, up to 32; negative if fewer are left. */
export function takeBits(stream: InflateStream, count: u32): i64 {
  if (stream.held < count) refillBits(stream)
  const value = stream.bits & (((<u64>1) << (<u64>count)) - 1)
  return dropBits(stream, count) ? <i64>value : -1
}

/** Goes to the next whole byte and gives bytes back that were taken in too early. */
export function alignStreamToByte(stream: InflateStream): void {
  dropBits(stream, stream.held & 7)
  stream.input -= stream.held >> 3
  stream.bits = 0
  stream.held = 0
}
