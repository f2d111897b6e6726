/** Spreads samples of 1 to 31 bits (high bits first, every row begins on a byte) over whole ones. */
export function unpackBitSamples<Target extends Uint8Array | Uint16Array | Uint32Array>(
  bytes: Uint8Array,
  bits: number,
  rowSamples: number,
  output: Target,
): Target {
  const rowBytes = Math.ceil((rowSamples * bits) / 8)
  const rows = Math.floor(output.length / rowSamples)
  const unpackRow = bits <= 16 ? unpackNarrowRow : unpackWideRow
  for (let row = 0; row < rows; row++) unpackRow(bytes, row * rowBytes, bits, output, row * rowSamples, rowSamples)
  return output
}

type Whole = Uint8Array | Uint16Array | Uint32Array

function unpackNarrowRow(
  bytes: Uint8Array,
  from: number,
  bits: number,
  output: Whole,
  to: number,
  count: number,
): void {
  const ones = 2 ** bits - 1
  let at = from
  let buffer = 0
  let held = 0
  for (let sample = to; sample < to + count; sample++) {
    while (held < bits) {
      buffer = ((buffer << 8) | (bytes[at++] ?? 0)) & 0xffffff
      held += 8
    }
    held -= bits
    output[sample] = (buffer >>> held) & ones
  }
}

// Up to 38 bits are held at once: more than the bitwise operators know.
function unpackWideRow(bytes: Uint8Array, from: number, bits: number, output: Whole, to: number, count: number): void {
  let at = from
  let buffer = 0
  let held = 0
  for (let sample = to; sample < to + count; sample++) {
    while (held < bits) {
      buffer = buffer * 256 + (bytes[at++] ?? 0)
      held += 8
    }
    held -= bits
    const value = Math.floor(buffer / 2 ** held)
    buffer -= value * 2 ** held
    output[sample] = value
  }
}

/** Turns three-byte samples around: in big-endian files GDAL writes and reads them lowest byte first (in the others not). */
export function swapThreeByteSamples(bytes: Uint8Array): Uint8Array {
  const last = bytes.length - (bytes.length % 3)
  return bytes.subarray(0, last).map((_, at) => bytes[at + 2 - 2 * (at % 3)]!)
}

/** Turns every byte around, for files that fill bytes from the low end. */
export function reverseBitsOfBytes(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    const pairs = ((byte & 0x55) << 1) | ((byte >> 1) & 0x55)
    const fours = ((pairs & 0x33) << 2) | ((pairs >> 2) & 0x33)
    return ((fours & 0x0f) << 4) | (fours >> 4)
  })
}

/** Half-precision numbers (IEEE 754 binary16) as single precision. */
export function widenHalfFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (half) => {
    const sign = half & 0x8000 ? -1 : 1
    const exponent = (half >> 10) & 31
    const fraction = half & 1023
    if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
  })
}
