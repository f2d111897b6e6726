/** How a kernel works along one axis. */
@unmanaged
export class Axis {
  /** Distances are multiplied by it before the curve is asked. */
  narrowing: f64
  /** From the centre of the first pixel that is reached to the position, at most. */
  reach: f64
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
}

/** Where the weights of a kernel follow: f32 for samples of 8 and 16 bits, else f64, with zeros up to a multiple of four. */
/* @inline */ export function weightsOf(taps: Taps): usize {
  return changetype<usize>(taps) + offsetof<Taps>()
}

/** Numbers that a literal in the code would make anew at every use. */
const SHORT_PLACES = memory.data<f32>([0, 1, 2, 3], 16)
const PLACES = memory.data<f64>([0, 1, 2, 3], 16)
const SHORTS = memory.data<f32>([1, 1.5, 2.5, -0.5, 4, 2], 16)
const LONGS = memory.data<f64>([1, 1.5, 2.5, -0.5, 4, 2], 16)

/** Aims at a position and fills in what counts there; `magic` is the number that splits positions (see the job). */
/* @inline */ export function aim<W>(axis: Axis, taps: Taps, position: f64, magic: f64): void {
  if (taps.position == position) return
  taps.position = position
  const length = axis.length
  const place = position + magic
  const under = wordOf(place, magic)
  const lowest = wordOf(place - axis.reach, magic) + 1
  let first = lowest
  let count = axis.taps
  taps.under = under
  // Unsigned, since wild positions give any number here.
  if (length >= count && <u32>lowest <= <u32>(length - count)) {
    taps.whole = 1
  } else {
    first = max(lowest, 0)
    count = position >= 0 && <u32>under < <u32>length ? min(lowest + count, length) - first : 0
    taps.whole = 0
  }
  taps.first = first
  taps.count = count
  const distance = <f64>first + 0.5 - (place - magic)
  if (sizeof<W>() == 4) weighShort(axis, weightsOf(taps), distance, count)
  else weighLong(axis, weightsOf(taps), distance, count)
}

/* @inline */ function wordOf(place: f64, magic: f64): i32 {
  return <i32>((reinterpret<i64>(place) - reinterpret<i64>(magic)) >> 32)
}

/* @inline */ function weighShort(axis: Axis, to: usize, distance: f64, count: i32): void {
  const start = f32x4.splat(<f32>distance)
  const narrowing = f32x4.splat(axis.narrowingShort)
  const cubic = axis.cubic
  const end = f32x4.splat(<f32>count)
  let places = v128.load(SHORT_PLACES)
  for (let tap = 0; tap < count; tap += 4, to += 16) {
    const t = f32x4.mul(f32x4.abs(f32x4.add(start, places)), narrowing)
    v128.store(to, v128.and(cubic ? cubicShort(t) : triangleShort(t), f32x4.lt(places, end)))
    places = f32x4.add(places, v128.load32_splat(SHORTS + 16))
  }
}

/* @inline */ function weighLong(axis: Axis, to: usize, distance: f64, count: i32): void {
  const start = f64x2.splat(distance)
  const narrowing = f64x2.splat(axis.narrowing)
  const cubic = axis.cubic
  let places = v128.load(PLACES)
  for (let tap = 0; tap < count; tap += 2, to += 16) {
    const t = f64x2.mul(f64x2.abs(f64x2.add(start, places)), narrowing)
    v128.store(to, cubic ? cubicLong(t) : triangleLong(t))
    places = f64x2.add(places, v128.load64_splat(LONGS + 40))
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
  return v128.and(v128.bitselect(near, far, f32x4.le(t, one)), f32x4.lt(t, two))
}

/* @inline */ function cubicLong(t: v128): v128 {
  const one = v128.load64_splat(LONGS)
  const two = v128.load64_splat(LONGS + 40)
  const much = v128.load64_splat(LONGS + 16)
  const steep = f64x2.sub(f64x2.mul(t, v128.load64_splat(LONGS + 8)), much)
  const near = f64x2.add(f64x2.mul(f64x2.mul(steep, t), t), one)
  const flat = f64x2.add(f64x2.mul(t, v128.load64_splat(LONGS + 24)), much)
  const far = f64x2.add(f64x2.mul(f64x2.sub(f64x2.mul(flat, t), v128.load64_splat(LONGS + 32)), t), two)
  return v128.and(v128.bitselect(near, far, f64x2.le(t, one)), f64x2.lt(t, two))
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
  taps.firstWeight = count == 1 ? 1 : min(1, 1 - (low - first))
  taps.lastWeight = count == 1 ? 1 : min(1, 1 - (end - high))
}

/** The weights of four pixels that are covered, from `tap` on; zeros beyond the last. */
/* @inline */ export function coverShort(taps: Taps, tap: i32): v128 {
  const places = f32x4.add(f32x4.splat(<f32>tap), v128.load(SHORT_PLACES))
  const last = f32x4.splat(<f32>(taps.count - 1))
  const inner = v128.bitselect(f32x4.splat(<f32>taps.lastWeight), v128.load32_splat(SHORTS), f32x4.eq(places, last))
  const all = v128.bitselect(f32x4.splat(<f32>taps.firstWeight), inner, f32x4.eq(places, i64x2.splat(0)))
  return v128.and(all, f32x4.le(places, last))
}

/** The weight of one pixel that is covered. */
/* @inline */ export function coverLong(taps: Taps, tap: i32): f64 {
  return tap == 0 ? taps.firstWeight : tap == taps.count - 1 ? taps.lastWeight : 1
}
