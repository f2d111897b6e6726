/** Turns the bytes of `count` samples of two bytes around, in place. */
export function swapBytes16(at: usize, count: usize): void {
  const end = at + (count << 1)
  const whole = at + ((count & ~7) << 1)
  while (at < whole) {
    const words = v128.load(at)
    v128.store(at, i8x16.shuffle(words, words, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14))
    at += 16
  }
  for (; at < end; at += 2) store<u16>(at, bswap<u16>(load<u16>(at)))
}

/** Turns the bytes of `count` samples of four bytes around, in place. */
export function swapBytes32(at: usize, count: usize): void {
  const end = at + (count << 2)
  const whole = at + ((count & ~3) << 2)
  while (at < whole) {
    const words = v128.load(at)
    v128.store(at, i8x16.shuffle(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
    at += 16
  }
  for (; at < end; at += 4) store<u32>(at, bswap<u32>(load<u32>(at)))
}

/** Turns the bytes of `count` samples of eight bytes around, in place. */
export function swapBytes64(at: usize, count: usize): void {
  const end = at + (count << 3)
  const whole = at + ((count & ~1) << 3)
  while (at < whole) {
    const words = v128.load(at)
    v128.store(at, i8x16.shuffle(words, words, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8))
    at += 16
  }
  for (; at < end; at += 8) store<u64>(at, bswap<u64>(load<u64>(at)))
}

/** Spreads rows of one-bit samples, the high bit first, over bytes of 0 and 255; rows begin on a byte. */
export function spreadBits(to: usize, from: usize, rows: usize, rowSamples: usize): void {
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
export function copyRows(
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
