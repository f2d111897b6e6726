import { halveSinglePixel } from './halve-samples.ts'
import { lanesWithin, missingLanes } from './missing.ts'
import { bandOffset, PixelBuffer } from './pixels.ts'

/** Scratch memory that joins four vectors of lanes. */
const lanes = memory.data(64, 16)

/**
 * The first pixels of a row, a vector at a time, where `bands` bands lie side by side; answers how many pixels are done. A
 * vector below which some samples are missing and some are not goes sample by sample.
 */
export function halvePixelGroups<T>(
  target: PixelBuffer,
  source: PixelBuffer,
  y: u32,
  band: u32,
  bands: u32,
  known: bool,
  lowest: T,
  highest: T,
): u32 {
  const from = source.at + (<usize>y * 2 * source.rowStride + bandOffset(source, band)) * sizeof<T>()
  const to = target.at + (<usize>y * target.rowStride + bandOffset(target, band)) * sizeof<T>()
  const mask: usize = source.mask == 0 ? 0 : source.mask + <usize>y * 2 * source.width
  const down = <usize>source.rowStride * sizeof<T>()
  const groupBytes = bands * <u32>sizeof<T>()
  const small = groupBytes <= 16
  // A round reads and writes whole vectors, which must not reach beyond the row.
  const pixels: u32 = small ? 16 / groupBytes : 1
  const enough: u32 = small ? (15 + groupBytes) / groupBytes : 1
  if (small) prepareLanes(groupBytes, pixels)
  let x: u32 = 0
  for (; x + enough <= source.width / 2; x += pixels) {
    const at = from + <usize>x * 2 * groupBytes
    const valid = mask == 0 || (allSet(mask + x * 2, pixels * 2) && allSet(mask + source.width + x * 2, pixels * 2))
    const done =
      valid &&
      (small
        ? halveSmall<T>(to + <usize>x * groupBytes, at, down, known, lowest, highest)
        : halveLarge<T>(to + <usize>x * groupBytes, at, down, groupBytes, known, lowest, highest))
    if (done) continue
    for (let i: u32 = 0; i < pixels; i++)
      halveSinglePixel<T>(target, source, x + i, y, band, bands, known, lowest, highest)
  }
  return x
}

/** Lanes that take the even and the odd groups out of two vectors; those that are left over repeat the first ones. */
function prepareLanes(groupBytes: u32, pixels: u32): void {
  for (let i: u32 = 0; i < 16; i++) {
    const place = i % (groupBytes * pixels)
    const even = (place / groupBytes) * 2 * groupBytes + (place % groupBytes)
    storeLanes(lanes + i, even)
    storeLanes(lanes + 32 + i, even + groupBytes)
  }
}

/** A byte of the first vector, or 16 bytes on one of the second. */
function storeLanes(at: usize, place: u32): void {
  store<u8>(at, place < 16 ? place : 0x80)
  store<u8>(at, place < 16 ? 0x80 : place - 16, 16)
}

/* @inline */ function pick(low: v128, high: v128, at: usize): v128 {
  return v128.or(i8x16.swizzle(low, v128.load(at)), i8x16.swizzle(high, v128.load(at, 16)))
}

/** Whether none of the bytes is zero. */
function allSet(at: usize, bytes: u32): bool {
  for (; bytes >= 16; bytes -= 16) {
    if (!i8x16.all_true(v128.load(at))) return false
    at += 16
  }
  for (; bytes > 0; bytes--) if (load<u8>(at++) == 0) return false
  return true
}

/** A vector of means below which two vectors lie in either row; false where it needs a closer look. */
function halveSmall<T>(to: usize, from: usize, down: usize, known: bool, lowest: T, highest: T): bool {
  const upperLow = v128.load(from)
  const upperHigh = v128.load(from, 16)
  const lowerLow = v128.load(from + down)
  const lowerHigh = v128.load(from + down, 16)
  const a = pick(upperLow, upperHigh, lanes)
  const b = pick(upperLow, upperHigh, lanes + 32)
  const c = pick(lowerLow, lowerHigh, lanes)
  return storeMean<T>(to, a, b, c, pick(lowerLow, lowerHigh, lanes + 32), known, lowest, highest)
}

/** One pixel of more than a vector; its last vector overlaps the one before. */
function halveLarge<T>(to: usize, from: usize, down: usize, groupBytes: u32, known: bool, lowest: T, highest: T): bool {
  const last = <usize>groupBytes - 16
  for (let i: usize = 0; i < groupBytes; i += 16) {
    const at = min(i, last)
    const upper = from + at
    const lower = upper + down
    const b = v128.load(upper + groupBytes)
    const d = v128.load(lower + groupBytes)
    if (!storeMean<T>(to + at, v128.load(upper), b, v128.load(lower), d, known, lowest, highest)) return false
  }
  return true
}

/** The means of four vectors, or where all samples are missing the first ones; false where some are. */
/* @inline */ function storeMean<T>(
  to: usize,
  a: v128,
  b: v128,
  c: v128,
  d: v128,
  known: bool,
  lowest: T,
  highest: T,
): bool {
  if (known || isFloat<T>()) {
    const upper = missingLanes<T>(a, known, lowest, highest)
    const beside = missingLanes<T>(b, known, lowest, highest)
    const lower = missingLanes<T>(c, known, lowest, highest)
    const opposite = missingLanes<T>(d, known, lowest, highest)
    if (v128.any_true(v128.or(v128.or(upper, beside), v128.or(lower, opposite)))) {
      if (!i8x16.all_true(v128.and(v128.and(upper, beside), v128.and(lower, opposite)))) return false
      v128.store(to, a)
      return true
    }
  }
  const mean = meanOfFour<T>(a, b, c, d)
  if (known && v128.any_true(lanesWithin<T>(mean, lowest, highest))) return false
  v128.store(to, mean)
  return true
}

/* @inline */ function meanOfFour<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  if (sizeof<T>() == 8) return f64x2.mul(f64x2.add(f64x2.add(f64x2.add(a, b), c), d), f64x2.splat(0.25))
  if (isFloat<T>()) return meanOfFloats(a, b, c, d)
  if (sizeof<T>() == 1) return isSigned<T>() ? meanOfIntegers<T, i16>(a, b, c, d) : meanOfIntegers<T, u16>(a, b, c, d)
  if (sizeof<T>() == 2) return isSigned<T>() ? meanOfIntegers<T, i32>(a, b, c, d) : meanOfIntegers<T, u32>(a, b, c, d)
  return meanOfIntegers<T, u64>(a, b, c, d)
}

/**
 * Sums of twice as many bits, W. Of 64 only the lower half of each shifted sum is used, in which both kinds of shift
 * agree.
 */
/* @inline */ function meanOfIntegers<T, W>(a: v128, b: v128, c: v128, d: v128): v128 {
  const low = v128.add<W>(
    v128.add<W>(v128.extend_low<T>(a), v128.extend_low<T>(b)),
    v128.add<W>(v128.extend_low<T>(c), v128.extend_low<T>(d)),
  )
  const high = v128.add<W>(
    v128.add<W>(v128.extend_high<T>(a), v128.extend_high<T>(b)),
    v128.add<W>(v128.extend_high<T>(c), v128.extend_high<T>(d)),
  )
  const lowMean = v128.shr<W>(v128.add<W>(low, v128.splat<W>(2)), 2)
  const highMean = v128.shr<W>(v128.add<W>(high, v128.splat<W>(2)), 2)
  return sizeof<W>() == 8 ? i32x4.shuffle(lowMean, highMean, 0, 2, 4, 6) : v128.narrow<W>(lowMean, highMean)
}

/** In double precision, added in the order in which the samples lie. */
/* @inline */ function meanOfFloats(a: v128, b: v128, c: v128, d: v128): v128 {
  const low = meanOfPairs(a, b, c, d)
  const high = meanOfPairs(upperHalf(a), upperHalf(b), upperHalf(c), upperHalf(d))
  return i64x2.shuffle(low, high, 0, 2)
}

/* @inline */ function upperHalf(a: v128): v128 {
  return i64x2.shuffle(a, a, 1, 1)
}

/* @inline */ function meanOfPairs(a: v128, b: v128, c: v128, d: v128): v128 {
  const upper = f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b))
  const sum = f64x2.add(f64x2.add(upper, f64x2.promote_low_f32x4(c)), f64x2.promote_low_f32x4(d))
  return f32x4.demote_f64x2_zero(f64x2.mul(sum, f64x2.splat(0.25)))
}
