/** Scratch memory that joins the lanes of a vector. */
const lanes = memory.data(16, 16)

/** A pixel from which on sums are made by whole vectors: what was stored last must not be read back at once. */
const far_bytes: usize = 64

/**
 * Running sums along a row of `rowSamples` samples, one for each of `stride` channels: out[i] = in[i] + out[i - stride],
 * wrapping around. `to` and `from` may be the same.
 */
export function computeRunningSumsOfRow<T>(to: usize, from: usize, rowSamples: usize, stride: usize): void {
  const pixelBytes = stride * sizeof<T>()
  const rowBytes = rowSamples * sizeof<T>()
  if (rowSamples <= stride) memory.copy(to, from, rowBytes)
  else if (pixelBytes >= far_bytes) scanFar<T>(to, from, rowBytes, pixelBytes)
  else if (pixelBytes >= 16) scanColumns<T>(to, from, rowBytes, pixelBytes)
  else scanNarrow<T>(to, from, rowBytes, pixelBytes)
}

/** The rest of a row, from byte `at` on, sample by sample. */
function scanTail<T>(to: usize, from: usize, at: usize, rowBytes: usize, pixelBytes: usize): void {
  for (; at < rowBytes; at += sizeof<T>()) {
    const before = at < pixelBytes ? <T>0 : load<T>(to + at - pixelBytes)
    store<T>(to + at, <T>(load<T>(from + at) + before))
  }
}

function scanFar<T>(to: usize, from: usize, rowBytes: usize, pixelBytes: usize): void {
  memory.copy(to, from, pixelBytes)
  let at = pixelBytes
  for (; at + 16 <= rowBytes; at += 16) {
    v128.store(to + at, v128.add<T>(v128.load(from + at), v128.load(to + at - pixelBytes)))
  }
  scanTail<T>(to, from, at, rowBytes, pixelBytes)
}

/** Walks down the row once for every 16 bytes of a pixel, the sums in a register. */
function scanColumns<T>(to: usize, from: usize, rowBytes: usize, pixelBytes: usize): void {
  const pixelsEnd = rowBytes - (rowBytes % pixelBytes)
  let column: usize = 0
  for (; column + 16 <= pixelBytes; column += 16) {
    let sums = v128.splat<u8>(0)
    for (let at = column; at < pixelsEnd; at += pixelBytes) {
      sums = v128.add<T>(sums, v128.load(from + at))
      v128.store(to + at, sums)
    }
  }
  for (; column < pixelBytes; column += sizeof<T>()) {
    let sum = <T>0
    for (let at = column; at < pixelsEnd; at += pixelBytes) {
      sum += load<T>(from + at)
      store<T>(to + at, sum)
    }
  }
  scanTail<T>(to, from, pixelsEnd, rowBytes, pixelBytes)
}

/** At least two pixels a vector; the usual sizes get steps that are compile-time constants. */
function scanNarrow<T>(to: usize, from: usize, rowBytes: usize, pixelBytes: usize): void {
  let done: usize
  if (pixelBytes == 1) done = scanVectors<T, u8>(to, from, rowBytes)
  else if (pixelBytes == 2) done = scanVectors<T, u16>(to, from, rowBytes)
  else if (pixelBytes == 4) done = scanVectors<T, u32>(to, from, rowBytes)
  else if (pixelBytes == 8) done = scanVectors<T, u64>(to, from, rowBytes)
  else done = scanOdd<T>(to, from, rowBytes, pixelBytes)
  scanTail<T>(to, from, done, rowBytes, pixelBytes)
}

/** Pixels as large as P: sums within the vector by doubling steps, then those of the vectors before. */
function scanVectors<T, P>(to: usize, from: usize, rowBytes: usize): usize {
  const zero = v128.splat<u8>(0)
  let carry = zero
  let at: usize = 0
  for (; at + 16 <= rowBytes; at += 16) {
    let sums = v128.load(from + at)
    if (sizeof<P>() == 1)
      sums = v128.add<T>(
        sums,
        i8x16.shuffle(zero, sums, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30),
      )
    if (sizeof<P>() <= 2) sums = v128.add<T>(sums, i16x8.shuffle(zero, sums, 7, 8, 9, 10, 11, 12, 13, 14))
    if (sizeof<P>() <= 4) sums = v128.add<T>(sums, i32x4.shuffle(zero, sums, 3, 4, 5, 6))
    sums = v128.add<T>(sums, i64x2.shuffle(zero, sums, 1, 2))
    v128.store(to + at, v128.add<T>(sums, carry))
    carry = v128.add<T>(carry, repeatLast<P>(sums))
  }
  return at
}

/* @inline */ function repeatLast<P>(sums: v128): v128 {
  if (sizeof<P>() == 1) return i8x16.shuffle(sums, sums, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)
  if (sizeof<P>() == 2) return i16x8.shuffle(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7)
  if (sizeof<P>() == 4) return i32x4.shuffle(sums, sums, 3, 3, 3, 3)
  return i64x2.shuffle(sums, sums, 1, 1)
}

/** Any size of pixel below a vector: sums within the vector by doubling steps, then those of the vectors before. */
function scanOdd<T>(to: usize, from: usize, rowBytes: usize, pixelBytes: usize): usize {
  const one = shiftBy(pixelBytes)
  const two = shiftBy(pixelBytes * 2)
  const four = shiftBy(pixelBytes * 4)
  const last = lastPixel(pixelBytes)
  let carry = v128.splat<u8>(0)
  let at: usize = 0
  for (; at + 16 <= rowBytes; at += 16) {
    let sums = v128.load(from + at)
    sums = v128.add<T>(sums, i8x16.swizzle(sums, one))
    sums = v128.add<T>(sums, i8x16.swizzle(sums, two))
    sums = v128.add<T>(sums, i8x16.swizzle(sums, four))
    v128.store(to + at, v128.add<T>(sums, carry))
    carry = v128.add<T>(i8x16.swizzle(sums, last), i8x16.swizzle(carry, last))
  }
  return at
}

/** Moves every lane up by `bytes` when a vector is swizzled by it; zeros come in from below. */
function shiftBy(bytes: usize): v128 {
  for (let i: usize = 0; i < 16; i++) store<u8>(lanes + i, i < bytes ? 0x80 : <u8>(i - bytes))
  return v128.load(lanes)
}

/** Repeats the last pixel of a vector when the vector is swizzled by it, so that each lane gets its own channel. */
function lastPixel(pixelBytes: usize): v128 {
  for (let i: usize = 0; i < 16; i++) store<u8>(lanes + i, <u8>(16 - pixelBytes + (i % pixelBytes)))
  return v128.load(lanes)
}
