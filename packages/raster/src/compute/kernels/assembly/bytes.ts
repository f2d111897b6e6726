/** Turns the bytes of `count` samples around, in place. */
export function swapBytes(at: usize, count: usize, sampleBytes: i32): void {
  if (sampleBytes == 2) swapSamples<u16>(at, count)
  else if (sampleBytes == 4) swapSamples<u32>(at, count)
  else swapSamples<u64>(at, count)
}

function swapSamples<T>(at: usize, count: usize): void {
  const end = at + count * sizeof<T>()
  for (const whole = end - 16; at <= whole; at += 16) v128.store(at, swapLanes<T>(v128.load(at)))
  for (; at < end; at += sizeof<T>()) store<T>(at, bswap<T>(load<T>(at)))
}

/* @inline */ function swapLanes<T>(words: v128): v128 {
  if (sizeof<T>() == 2) return i8x16.shuffle(words, words, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
  if (sizeof<T>() == 4) return i8x16.shuffle(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
  return i8x16.shuffle(words, words, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)
}

/** Spreads rows of one-bit samples, the high bit first, over bytes of 0 and 255; rows begin on a byte. */
export function expandBitsToBytes(to: usize, from: usize, rows: usize, rowSamples: usize): void {
  const bits = i8x16(-128, 64, 32, 16, 8, 4, 2, 1, -128, 64, 32, 16, 8, 4, 2, 1)
  for (; rows > 0; rows--) {
    let left = rowSamples
    for (; left >= 16; left -= 16) {
      const pair = v128.splat<u16>(load<u16>(from))
      const spread = i8x16.shuffle(pair, pair, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)
      v128.store(to, i8x16.eq(v128.and(spread, bits), bits))
      from += 2
      to += 16
    }
    for (let i: usize = 0; i < left; i++) {
      const bit = (load<u8>(from + (i >> 3)) >> <u8>(7 - (i & 7))) & 1
      store<u8>(to + i, bit ? 255 : 0)
    }
    from += (left + 7) >> 3
    to += left
  }
}

/** Copies rows of bytes from one place to another. */
export function copyByteRows(
  to: usize,
  toRowBytes: usize,
  from: usize,
  fromRowBytes: usize,
  rowBytes: usize,
  rows: usize,
): void {
  for (; rows > 0; rows--) {
    memory.copy(to, from, rowBytes)
    to += toRowBytes
    from += fromRowBytes
  }
}
