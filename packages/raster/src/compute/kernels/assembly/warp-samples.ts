/** Samples of 8 and 16 bits are summed as f32 differences from one of them, all others as f64. */
/* @inline */ export function isSmall<T>(): bool {
  return sizeof<T>() <= 2
}

/** More than any two small samples differ by: sums of weights near 0 can make more of it. */
const max_position: f32 = 1048576

/** A half and a hair: means of whole numbers often lie just between two, and must not fall short of it by an error of f32. */
const rounding_half: f32 = 0.50006103515625
/** 1.5 × 2^23: a sum with it has whole numbers in its lower bits. */
const whole_magic: f32 = 12582912

/** The same for vectors: a literal would be made anew at every use. */
const floatConstants = memory.data<f32>([rounding_half, max_position, -max_position, whole_magic], 16)

/** Four small samples as 32-bit integers. */
/* @inline */ export function loadFour<T>(at: usize): v128 {
  if (sizeof<T>() == 1) {
    const bytes = v128.load32_zero(at)
    if (isSigned<T>()) return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes))
    return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes))
  }
  return isSigned<T>() ? v128.load_ext<i16>(at) : v128.load_ext<u16>(at)
}

/** Four small samples that are not next to each other, as 32-bit integers. */
/* @inline */ export function gatherFour<T>(at: usize, step: i32): v128 {
  const pair = i32x4.replace_lane(i32x4.splat(<i32>load<T>(at)), 1, <i32>load<T>(at + step))
  const three = i32x4.replace_lane(pair, 2, <i32>load<T>(at + 2 * step))
  return i32x4.replace_lane(three, 3, <i32>load<T>(at + 3 * step))
}

/** Four differences of small samples rounded half up to 32-bit integers. */
/* @inline */ export function roundShort(values: v128): v128 {
  const magic = v128.load32_splat(floatConstants + 12)
  return i32x4.sub(f32x4.add(f32x4.floor(f32x4.add(values, v128.load32_splat(floatConstants))), magic), magic)
}

/** Values without bounds made fit for being rounded like differences. */
/* @inline */ export function limitShort(values: v128): v128 {
  return f32x4.pmax(v128.load32_splat(floatConstants + 8), f32x4.pmin(v128.load32_splat(floatConstants + 4), values))
}

/** Stores four 32-bit integers as small samples, clamped to their range. */
/* @inline */ export function storeFour<T>(to: usize, values: v128): void {
  if (sizeof<T>() == 1) v128.store32_lane(to, narrow<T>(values), 0)
  else v128.store64_lane(to, narrow<T>(values), 0)
}

/** Stores the first of four 32-bit integers as a small sample, clamped to its range. */
/* @inline */ export function storeFirst<T>(to: usize, values: v128): void {
  if (sizeof<T>() == 1) v128.store8_lane(to, narrow<T>(values), 0)
  else v128.store16_lane(to, narrow<T>(values), 0)
}

/* @inline */ function narrow<T>(values: v128): v128 {
  if (sizeof<T>() == 2)
    return isSigned<T>() ? i16x8.narrow_i32x4_s(values, values) : i16x8.narrow_i32x4_u(values, values)
  const shorts = i16x8.narrow_i32x4_s(values, values)
  return isSigned<T>() ? i8x16.narrow_i16x8_s(shorts, shorts) : i8x16.narrow_i16x8_u(shorts, shorts)
}

/** Two large samples as f64. */
/* @inline */ export function loadPair<T>(at: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(at)
  const words = v128.load64_zero(at)
  if (isFloat<T>()) return f64x2.promote_low_f32x4(words)
  return isSigned<T>() ? f64x2.convert_low_i32x4_s(words) : f64x2.convert_low_i32x4_u(words)
}

/** Stores two f64 as large samples: integers rounded half up and clamped to their range. */
/* @inline */ export function storePair<T>(to: usize, values: v128): void {
  if (sizeof<T>() == 8) v128.store(to, values)
  else if (isFloat<T>()) v128.store64_lane(to, f32x4.demote_f64x2_zero(values), 0)
  else {
    const whole = f64x2.floor(f64x2.add(values, f64x2.splat(0.5)))
    v128.store64_lane(to, isSigned<T>() ? i32x4.trunc_sat_f64x2_s_zero(whole) : i32x4.trunc_sat_f64x2_u_zero(whole), 0)
  }
}

/** Stores a small sample that is a difference away from another one, rounded half up. */
/* @inline */ export function storeNear<T>(to: usize, origin: i32, difference: f32): void {
  const whole = floor<f32>(difference + rounding_half) + whole_magic
  store<T>(to, <T>(origin + reinterpret<i32>(whole) - reinterpret<i32>(whole_magic)))
}

/** Stores a large sample: integers rounded half up and clamped to their range. */
/* @inline */ export function storeLarge<T>(to: usize, value: f64): void {
  store<T>(to, isFloat<T>() ? <T>value : <T>floor(value + 0.5))
}
