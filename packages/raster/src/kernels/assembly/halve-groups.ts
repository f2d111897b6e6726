import { halveRest } from './halve-samples.ts'
import { missingLanes } from './missing.ts'
import { bandOffset, Pixels } from './pixels.ts'

/**
 * The first pixels of a row, a vector at a time, where `bands` bands side by side divide a vector; answers how many pixels
 * are done. A vector below which some samples are missing and some are not goes sample by sample.
 */
export function halveGroups<T>(
  target: Pixels,
  source: Pixels,
  y: u32,
  band: u32,
  bands: u32,
  known: bool,
  nodata: T,
): u32 {
  const groupBytes = bands * <u32>sizeof<T>()
  if (groupBytes > 16 || (groupBytes & (groupBytes - 1)) != 0) return 0
  const pixels: u32 = 16 / groupBytes
  const whole = source.width / 2 - ((source.width / 2) % pixels)
  const down = <usize>source.rowStride * sizeof<T>()
  let from = source.at + (<usize>y * 2 * source.rowStride + bandOffset(source, band)) * sizeof<T>()
  let to = target.at + (<usize>y * target.rowStride + bandOffset(target, band)) * sizeof<T>()
  let mask: usize = source.mask == 0 ? 0 : source.mask + <usize>y * 2 * source.width
  for (let x: u32 = 0; x < whole; x += pixels) {
    const valid = mask == 0 || (allSet(mask, pixels * 2) && allSet(mask + source.width, pixels * 2))
    if (!valid || !halveVector<T>(to, from, down, groupBytes, known, nodata)) {
      for (let i: u32 = 0; i < pixels; i++) halveRest<T>(target, source, x + i, y, band, bands, known, nodata)
    }
    if (mask != 0) mask += pixels * 2
    from += 32
    to += 16
  }
  return whole
}

/** Whether none of 2, 4, 8, 16 or 32 bytes is zero. */
function allSet(at: usize, bytes: u32): bool {
  if (bytes == 32) return i8x16.all_true(v128.load(at)) && i8x16.all_true(v128.load(at, 16))
  if (bytes == 16) return i8x16.all_true(v128.load(at))
  const word = bytes == 8 ? load<u64>(at) : bytes == 4 ? <u64>load<u32>(at) : <u64>load<u16>(at)
  const high: u64 = 0x8080808080808080 >> <u64>(64 - bytes * 8)
  return ((word - (high >> 7)) & ~word & high) == 0
}

/** A vector of means; false where it needs a closer look. */
function halveVector<T>(to: usize, from: usize, down: usize, groupBytes: u32, known: bool, nodata: T): bool {
  const upperLow = v128.load(from)
  const upperHigh = v128.load(from, 16)
  const lowerLow = v128.load(from + down)
  const lowerHigh = v128.load(from + down, 16)
  const a = evenGroups(upperLow, upperHigh, groupBytes)
  if (known || isFloat<T>()) {
    const upper = missingLanes<T>(upperLow, known, nodata)
    const lower = missingLanes<T>(lowerLow, known, nodata)
    const upperRest = missingLanes<T>(upperHigh, known, nodata)
    const lowerRest = missingLanes<T>(lowerHigh, known, nodata)
    if (v128.any_true(v128.or(v128.or(upper, lower), v128.or(upperRest, lowerRest)))) {
      if (!i8x16.all_true(v128.and(v128.and(upper, lower), v128.and(upperRest, lowerRest)))) return false
      v128.store(to, a)
      return true
    }
  }
  const b = oddGroups(upperLow, upperHigh, groupBytes)
  const c = evenGroups(lowerLow, lowerHigh, groupBytes)
  const mean = meanOfFour<T>(a, b, c, oddGroups(lowerLow, lowerHigh, groupBytes))
  if (known && v128.any_true(v128.eq<T>(mean, v128.splat<T>(nodata)))) return false
  v128.store(to, mean)
  return true
}

/* @inline */ function evenGroups(a: v128, b: v128, groupBytes: u32): v128 {
  if (groupBytes == 1) return i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  if (groupBytes == 2) return i16x8.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
  if (groupBytes == 4) return i32x4.shuffle(a, b, 0, 2, 4, 6)
  return groupBytes == 8 ? i64x2.shuffle(a, b, 0, 2) : a
}

/* @inline */ function oddGroups(a: v128, b: v128, groupBytes: u32): v128 {
  if (groupBytes == 1) return i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
  if (groupBytes == 2) return i16x8.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
  if (groupBytes == 4) return i32x4.shuffle(a, b, 1, 3, 5, 7)
  return groupBytes == 8 ? i64x2.shuffle(a, b, 1, 3) : b
}

/* @inline */ function meanOfFour<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  if (sizeof<T>() == 1) return meanOfBytes<T>(a, b, c, d)
  if (sizeof<T>() == 2) return meanOfShorts<T>(a, b, c, d)
  if (sizeof<T>() == 8) return f64x2.mul(f64x2.add(f64x2.add(f64x2.add(a, b), c), d), f64x2.splat(0.25))
  return isFloat<T>() ? meanOfFloats(a, b, c, d) : meanOfInts<T>(a, b, c, d)
}

/* @inline */ function meanOfBytes<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  const two = i16x8.splat(2)
  const low = i16x8.add(
    i16x8.add(v128.extend_low<T>(a), v128.extend_low<T>(b)),
    i16x8.add(v128.extend_low<T>(c), v128.extend_low<T>(d)),
  )
  const high = i16x8.add(
    i16x8.add(v128.extend_high<T>(a), v128.extend_high<T>(b)),
    i16x8.add(v128.extend_high<T>(c), v128.extend_high<T>(d)),
  )
  if (isSigned<T>())
    return i8x16.narrow_i16x8_s(i16x8.shr_s(i16x8.add(low, two), 2), i16x8.shr_s(i16x8.add(high, two), 2))
  return i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.add(low, two), 2), i16x8.shr_u(i16x8.add(high, two), 2))
}

/* @inline */ function meanOfShorts<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  const two = i32x4.splat(2)
  const low = i32x4.add(
    i32x4.add(v128.extend_low<T>(a), v128.extend_low<T>(b)),
    i32x4.add(v128.extend_low<T>(c), v128.extend_low<T>(d)),
  )
  const high = i32x4.add(
    i32x4.add(v128.extend_high<T>(a), v128.extend_high<T>(b)),
    i32x4.add(v128.extend_high<T>(c), v128.extend_high<T>(d)),
  )
  if (isSigned<T>())
    return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(low, two), 2), i32x4.shr_s(i32x4.add(high, two), 2))
  return i16x8.narrow_i32x4_u(i32x4.shr_u(i32x4.add(low, two), 2), i32x4.shr_u(i32x4.add(high, two), 2))
}

/** Only the lower half of each shifted sum is kept, in which both kinds of shift agree. */
/* @inline */ function meanOfInts<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  const two = i64x2.splat(2)
  const low = i64x2.add(
    i64x2.add(v128.extend_low<T>(a), v128.extend_low<T>(b)),
    i64x2.add(v128.extend_low<T>(c), v128.extend_low<T>(d)),
  )
  const high = i64x2.add(
    i64x2.add(v128.extend_high<T>(a), v128.extend_high<T>(b)),
    i64x2.add(v128.extend_high<T>(c), v128.extend_high<T>(d)),
  )
  return i32x4.shuffle(i64x2.shr_u(i64x2.add(low, two), 2), i64x2.shr_u(i64x2.add(high, two), 2), 0, 2, 4, 6)
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
