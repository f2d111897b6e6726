/** Bytes of both, alternating, the lower eight. */
/* @inline */ function mixLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

/** Bytes of both, alternating, the upper eight. */
/* @inline */ function mixHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
}

/** Pairs of bytes of both, alternating, the lower four. */
/* @inline */ function mixPairsLow(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

/** Pairs of bytes of both, alternating, the upper four. */
/* @inline */ function mixPairsHigh(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}

/** Samples from planes of their bytes, the heaviest plane first; those of four bytes by vectors. */
export function joinBytePlanes(to: usize, from: usize, samples: usize, sampleBytes: usize): void {
  const whole = sampleBytes == 4 ? samples & ~15 : 0
  joinFour(to, from, samples, whole)
  for (let i = whole; i < samples; i++) {
    for (let plane: usize = 0; plane < sampleBytes; plane++) {
      store<u8>(to + i * sampleBytes + (sampleBytes - 1 - plane), load<u8>(from + plane * samples + i))
    }
  }
}

function joinFour(to: usize, from: usize, samples: usize, whole: usize): void {
  for (const end = from + whole; from < end; from += 16) {
    const a = v128.load(from)
    const b = v128.load(from + samples)
    const c = v128.load(from + samples * 2)
    const d = v128.load(from + samples * 3)
    const lightLow = mixLow(d, c)
    const heavyLow = mixLow(b, a)
    const lightHigh = mixHigh(d, c)
    const heavyHigh = mixHigh(b, a)
    v128.store(to, mixPairsLow(lightLow, heavyLow))
    v128.store(to, mixPairsHigh(lightLow, heavyLow), 16)
    v128.store(to, mixPairsLow(lightHigh, heavyHigh), 32)
    v128.store(to, mixPairsHigh(lightHigh, heavyHigh), 48)
    to += 64
  }
}

/** Even bytes of both. */
/* @inline */ function evenBytes(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
}

/** Odd bytes of both. */
/* @inline */ function oddBytes(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
}

/** Planes of bytes from samples, the heaviest first. */
export function splitBytePlanes(to: usize, from: usize, samples: usize, sampleBytes: usize): void {
  const done = sampleBytes == 4 ? splitFour(to, from, samples) : 0
  for (let plane: usize = 0; plane < sampleBytes; plane++) {
    const source = from + (sampleBytes - 1 - plane)
    const target = to + plane * samples
    for (let i = done; i < samples; i++) store<u8>(target + i, load<u8>(source + i * sampleBytes))
  }
}

function splitFour(to: usize, from: usize, samples: usize): usize {
  const whole = samples & ~15
  for (const end = to + whole; to < end; to += 16) {
    storePlanes(to, samples, v128.load(from), v128.load(from, 16), v128.load(from, 32), v128.load(from, 48))
    from += 64
  }
  return whole
}

/** Sixteen samples of four bytes as four planes that lie `apart`, the heaviest first. */
/* @inline */ function storePlanes(to: usize, apart: usize, a: v128, b: v128, c: v128, d: v128): void {
  const evenLow = evenBytes(a, b)
  const evenHigh = evenBytes(c, d)
  const oddLow = oddBytes(a, b)
  const oddHigh = oddBytes(c, d)
  v128.store(to, oddBytes(oddLow, oddHigh))
  v128.store(to + apart, oddBytes(evenLow, evenHigh))
  v128.store(to + apart * 2, evenBytes(oddLow, oddHigh))
  v128.store(to + apart * 3, evenBytes(evenLow, evenHigh))
}
