/** Taps of a kernel along one axis. */
@unmanaged
export class WarpAxis {
  /** Distances are multiplied by it before the curve is evaluated. */
  narrowing: f64
  /** From the centre of the first pixel that is reached to the position, at most. */
  reach: f64
  /** The taps and the narrowing once more, for vectors. */
  tapsLong: f64
  tapsShort: f32
  narrowingShort: f32
  cubic: i32
  /** Pixels of the source. */
  length: i32
  /** Pixels that the kernel reaches, at most. */
  taps: i32
  /** A place for the taps of every column, `step` bytes apart. */
  slots: usize
  step: i32
}

/** The source pixels that count along one axis, and their weights. */
@unmanaged
export class Taps {
  /** The position or the two edges that the taps belong to. NaN at first, which equals nothing. */
  position: f64
  edge: f64
  /** The pixel under the position. */
  under: i32
  first: i32
  /** 0 where the position is outside. */
  count: i32
  /** 1 where all that the kernel reaches lies in the source. */
  whole: i32
  /** For coverage, the first and the last weight; those between are 1. */
  firstWeight: f64
  lastWeight: f64
  /** Its place among them. */
  lastPlace: f32
}

/** Taps without their weights. */
const taps_bytes: usize = 64

/** Pointer to the weights: f32 for samples of 8 and 16 bits, else f64, with zeros up to a multiple of four. */
/* @inline */ export function weightsOf(taps: Taps): usize {
  return changetype<usize>(taps) + taps_bytes
}

/** Numbers that a literal in the code would make anew at every use. */
const f32Places = memory.data<f32>([0, 1, 2, 3], 16)
const f64Places = memory.data<f64>([0, 1, 2, 3], 16)
const f32Constants = memory.data<f32>([1, 1.5, 2.5, -0.5, 4, 2], 16)
const f64Constants = memory.data<f64>([1, 1.5, 2.5, -0.5, 4, 2], 16)
const one_index: usize = 0
const four_index: usize = 4
const two_index: usize = 5

/** One of these numbers, by its place among them, in all lanes. */
/* @inline */ function constant<W>(place: usize): v128 {
  return sizeof<W>() == 4 ? v128.load32_splat(f32Constants + place * 4) : v128.load64_splat(f64Constants + place * 8)
}

/**
 * Aims at a position and fills in what counts there; `magic` is the number that splits positions (see the job). Numbers
 * are not converted from integers in the quick way: one conversion would have to wait for the vectors of the one before.
 */
/* @inline */ export function aim<W>(axis: WarpAxis, taps: Taps, position: f64, magic: f64): void {
  if (taps.position == position) return
  taps.position = position
  const length = axis.length
  const place = position + magic
  const farthest = reinterpret<i64>(place - axis.reach)
  const under = <i32>((reinterpret<i64>(place) - reinterpret<i64>(magic)) >> 32)
  const lowest = <i32>((farthest - reinterpret<i64>(magic)) >> 32) + 1
  const count = axis.taps
  taps.under = under
  taps.first = lowest
  taps.count = count
  taps.whole = 1
  // Unsigned, since wild positions give any number here.
  if (length >= count && <u32>lowest <= <u32>(length - count)) {
    const distance = reinterpret<f64>(farthest & upper_word_mask) - place + 1.5
    weigh<W>(axis, weightsOf(taps), distance, count, sizeof<W>() == 4 ? <W>axis.tapsShort : <W>axis.tapsLong)
  } else aimBeyond<W>(axis, taps, position, place - magic)
}

const upper_word_mask: i64 = (<i64>-1) << 32

/** Aims where the edge of the source cuts the kernel, or nowhere. */
function aimBeyond<W>(axis: WarpAxis, taps: Taps, position: f64, settled: f64): void {
  const first = max(taps.first, 0)
  const isInside = position >= 0 && <u32>taps.under < <u32>axis.length
  const count = isInside ? min(taps.first + taps.count, axis.length) - first : 0
  taps.first = first
  taps.count = count
  taps.whole = 0
  const distance = <f64>first + 0.5 - settled
  weigh<W>(axis, weightsOf(taps), distance, count, <W>count)
}

/* @inline */ function weigh<W>(axis: WarpAxis, to: usize, distance: f64, count: i32, countW: W): void {
  const start = v128.splat<W>(<W>distance)
  const narrowing = v128.splat<W>(sizeof<W>() == 4 ? <W>axis.narrowingShort : <W>axis.narrowing)
  const cubic = axis.cubic
  const end = v128.splat<W>(countW)
  const step = constant<W>(sizeof<W>() == 4 ? four_index : two_index)
  let places = v128.load(sizeof<W>() == 4 ? f32Places : f64Places)
  for (let tap = 0; tap < count; tap += 4) {
    for (let part = 0; part < <i32>sizeof<W>(); part += 4, to += 16) {
      const t = v128.mul<W>(v128.abs<W>(v128.add<W>(start, places)), narrowing)
      v128.store(to, v128.and(cubic ? cubicWeights<W>(t) : triangleWeights<W>(t), v128.lt<W>(places, end)))
      places = v128.add<W>(places, step)
    }
  }
}

/* @inline */ function triangleWeights<W>(t: v128): v128 {
  return v128.pmax<W>(i64x2.splat(0), v128.sub<W>(constant<W>(one_index), t))
}

/** Keys' cubic convolution with a = -0.5. */
/* @inline */ function cubicWeights<W>(t: v128): v128 {
  const one = constant<W>(one_index)
  const two = constant<W>(two_index)
  const much = constant<W>(2)
  const steep = v128.sub<W>(v128.mul<W>(t, constant<W>(1)), much)
  const near = v128.add<W>(v128.mul<W>(v128.mul<W>(steep, t), t), one)
  const flat = v128.add<W>(v128.mul<W>(t, constant<W>(3)), much)
  const far = v128.add<W>(v128.mul<W>(v128.sub<W>(v128.mul<W>(flat, t), constant<W>(four_index)), t), two)
  return v128.and(either(near, far, v128.le<W>(t, one)), v128.lt<W>(t, two))
}

/** Selects as `bitselect` does, which the compiler makes with a register that the next conversion waits for. */
/* @inline */ function either(a: v128, b: v128, mask: v128): v128 {
  return v128.or(v128.and(a, mask), v128.andnot(b, mask))
}

/** A box that is a hair wider than whole pixels by rounding does not touch the next ones. */
const rounding_margin: f64 = 1e-10

/** Covers the source from `a` to `b`, pixels on the border by the part that is covered. */
/* @inline */ export function cover(axis: WarpAxis, taps: Taps, a: f64, b: f64): void {
  if (taps.position == a && taps.edge == b) return
  taps.position = a
  taps.edge = b
  taps.count = 0
  const low = min(a, b)
  const high = max(a, b)
  const length = <f64>axis.length
  if (!(high > 0 && low < length)) return
  const first = max(floor(low + rounding_margin), 0)
  let end = min(ceil(high - rounding_margin), length)
  if (end == first && end < length) end++
  const count = <i32>(end - first)
  if (count <= 0) return
  taps.first = <i32>first
  taps.count = count
  taps.under = <i32>first + (count >> 1)
  taps.lastPlace = <f32>(count - 1)
  taps.firstWeight = count == 1 ? 1 : min(1, 1 - (low - first))
  taps.lastWeight = count == 1 ? 1 : min(1, 1 - (end - high))
}

/** The weights of four pixels that are covered, from those at `places` on; zeros beyond the last. */
/* @inline */ export function coverShort(taps: Taps, places: v128): v128 {
  const last = f32x4.splat(taps.lastPlace)
  const inner = either(f32x4.splat(<f32>taps.lastWeight), v128.load32_splat(f32Constants), f32x4.eq(places, last))
  const all = either(f32x4.splat(<f32>taps.firstWeight), inner, f32x4.eq(places, i64x2.splat(0)))
  return v128.and(all, f32x4.le(places, last))
}

/** The first four places of taps, and how far the next four are from them. */
/* @inline */ export function firstPlaces(): v128 {
  return v128.load(f32Places)
}

/* @inline */ export function nextPlaces(places: v128): v128 {
  return f32x4.add(places, v128.load32_splat(f32Constants + 16))
}

/** The weight of one pixel that is covered; 0 beyond the last. */
/* @inline */ export function coverLong(taps: Taps, tap: i32): f64 {
  if (tap >= taps.count) return 0
  return tap == 0 ? taps.firstWeight : tap == taps.count - 1 ? taps.lastWeight : 1
}
