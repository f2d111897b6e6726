/** How a kernel works along one axis. */
@unmanaged
export class Axis {
  /** Distances are multiplied by it before the curve is asked. */
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
  /** What they are for: a position, or the two edges of what is covered. NaN at first, which equals nothing. */
  position: f64
  edge: f64
  /** The pixel under the position. */
  under: i32
  first: i32
  /** 0 where the position is outside. */
  count: i32
  /** 1 where all that the kernel reaches lies in the source. */
  whole: i32
  /** Of what is covered the first and the last weight; those between are 1. */
  firstWeight: f64
  lastWeight: f64
  /** Its place among them. */
  lastPlace: f32
}

/** Taps without their weights. */
const TAPS_BYTES: usize = 64

/** Where the weights follow: f32 for samples of 8 and 16 bits, else f64, with zeros up to a multiple of four. */
/* @inline */ export function weightsOf(taps: Taps): usize {
  return changetype<usize>(taps) + TAPS_BYTES
}

/** Numbers that a literal in the code would make anew at every use. */
const SHORT_PLACES = memory.data<f32>([0, 1, 2, 3], 16)
const PLACES = memory.data<f64>([0, 1, 2, 3], 16)
const SHORTS = memory.data<f32>([1, 1.5, 2.5, -0.5, 4, 2], 16)
const LONGS = memory.data<f64>([1, 1.5, 2.5, -0.5, 4, 2], 16)

/**
 * Aims at a position and fills in what counts there; `magic` is the number that splits positions (see the job). Numbers
 * are not converted from integers in the quick way: one conversion would have to wait for the vectors of the one before.
 */
/* @inline */ export function aim<W>(axis: Axis, taps: Taps, position: f64, magic: f64): void {
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
    const distance = reinterpret<f64>(farthest & UPPER_WORD) - place + 1.5
    if (sizeof<W>() == 4) weighShort(axis, weightsOf(taps), distance, count, axis.tapsShort)
    else weighLong(axis, weightsOf(taps), distance, count, axis.tapsLong)
  } else aimBeyond<W>(axis, taps, position, place - magic)
}

const UPPER_WORD: i64 = (<i64>-1) << 32

/** Aims where the edge of the source cuts the kernel, or nowhere. */
function aimBeyond<W>(axis: Axis, taps: Taps, position: f64, settled: f64): void {
  const first = max(taps.first, 0)
  const isInside = position >= 0 && <u32>taps.under < <u32>axis.length
  const count = isInside ? min(taps.first + taps.count, axis.length) - first : 0
  taps.first = first
  taps.count = count
  taps.whole = 0
  const distance = <f64>first + 0.5 - settled
  if (sizeof<W>() == 4) weighShort(axis, weightsOf(taps), distance, count, <f32>count)
  else weighLong(axis, weightsOf(taps), distance, count, <f64>count)
}

/* @inline */ function weighShort(axis: Axis, to: usize, distance: f64, count: i32, countShort: f32): void {
  const start = f32x4.splat(<f32>distance)
  const narrowing = f32x4.splat(axis.narrowingShort)
  const cubic = axis.cubic
  const end = f32x4.splat(countShort)
  let places = firstPlaces()
  for (let tap = 0; tap < count; tap += 4, to += 16) {
    const t = f32x4.mul(f32x4.abs(f32x4.add(start, places)), narrowing)
    v128.store(to, v128.and(cubic ? cubicShort(t) : triangleShort(t), f32x4.lt(places, end)))
    places = nextPlaces(places)
  }
}

/* @inline */ function weighLong(axis: Axis, to: usize, distance: f64, count: i32, countLong: f64): void {
  const start = f64x2.splat(distance)
  const narrowing = f64x2.splat(axis.narrowing)
  const cubic = axis.cubic
  const end = f64x2.splat(countLong)
  const two = v128.load64_splat(LONGS + 40)
  let places = v128.load(PLACES)
  for (let tap = 0; tap < count; tap += 4, to += 32) {
    for (let half: usize = 0; half < 32; half += 16) {
      const t = f64x2.mul(f64x2.abs(f64x2.add(start, places)), narrowing)
      v128.store(to + half, v128.and(cubic ? cubicLong(t) : triangleLong(t), f64x2.lt(places, end)))
      places = f64x2.add(places, two)
    }
  }
}

/* @inline */ function triangleShort(t: v128): v128 {
  return f32x4.pmax(i64x2.splat(0), f32x4.sub(v128.load32_splat(SHORTS), t))
}

/* @inline */ function triangleLong(t: v128): v128 {
  return f64x2.pmax(i64x2.splat(0), f64x2.sub(v128.load64_splat(LONGS), t))
}

/** Keys' cubic convolution with a = -0.5. */
/* @inline */ function cubicShort(t: v128): v128 {
  const one = v128.load32_splat(SHORTS)
  const two = v128.load32_splat(SHORTS + 20)
  const much = v128.load32_splat(SHORTS + 8)
  const steep = f32x4.sub(f32x4.mul(t, v128.load32_splat(SHORTS + 4)), much)
  const near = f32x4.add(f32x4.mul(f32x4.mul(steep, t), t), one)
  const flat = f32x4.add(f32x4.mul(t, v128.load32_splat(SHORTS + 12)), much)
  const far = f32x4.add(f32x4.mul(f32x4.sub(f32x4.mul(flat, t), v128.load32_splat(SHORTS + 16)), t), two)
  return v128.and(either(near, far, f32x4.le(t, one)), f32x4.lt(t, two))
}

/* @inline */ function cubicLong(t: v128): v128 {
  const one = v128.load64_splat(LONGS)
  const two = v128.load64_splat(LONGS + 40)
  const much = v128.load64_splat(LONGS + 16)
  const steep = f64x2.sub(f64x2.mul(t, v128.load64_splat(LONGS + 8)), much)
  const near = f64x2.add(f64x2.mul(f64x2.mul(steep, t), t), one)
  const flat = f64x2.add(f64x2.mul(t, v128.load64_splat(LONGS + 24)), much)
  const far = f64x2.add(f64x2.mul(f64x2.sub(f64x2.mul(flat, t), v128.load64_splat(LONGS + 32)), t), two)
  return v128.and(either(near, far, f64x2.le(t, one)), f64x2.lt(t, two))
}

/** What `bitselect` does, which the compiler makes with a register that the next conversion waits for. */
/* @inline */ function either(a: v128, b: v128, mask: v128): v128 {
  return v128.or(v128.and(a, mask), v128.andnot(b, mask))
}

/** A box that is a hair wider than whole pixels by rounding does not touch the next ones. */
const HAIR: f64 = 1e-10

/** Covers the source from `a` to `b`, pixels on the border by the part that is covered. */
/* @inline */ export function cover(axis: Axis, taps: Taps, a: f64, b: f64): void {
  if (taps.position == a && taps.edge == b) return
  taps.position = a
  taps.edge = b
  taps.count = 0
  const low = min(a, b)
  const high = max(a, b)
  const length = <f64>axis.length
  if (!(high > 0 && low < length)) return
  const first = max(floor(low + HAIR), 0)
  let end = min(ceil(high - HAIR), length)
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
  const inner = either(f32x4.splat(<f32>taps.lastWeight), v128.load32_splat(SHORTS), f32x4.eq(places, last))
  const all = either(f32x4.splat(<f32>taps.firstWeight), inner, f32x4.eq(places, i64x2.splat(0)))
  return v128.and(all, f32x4.le(places, last))
}

/** The first four places of taps, and how far the next four are from them. */
/* @inline */ export function firstPlaces(): v128 {
  return v128.load(SHORT_PLACES)
}

/* @inline */ export function nextPlaces(places: v128): v128 {
  return f32x4.add(places, v128.load32_splat(SHORTS + 16))
}

/** The weight of one pixel that is covered; 0 beyond the last. */
/* @inline */ export function coverLong(taps: Taps, tap: i32): f64 {
  if (tap >= taps.count) return 0
  return tap == 0 ? taps.firstWeight : tap == taps.count - 1 ? taps.lastWeight : 1
}
