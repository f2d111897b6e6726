import { WarpTask } from './warp-job.ts'

/** Takes a row of target pixels of four samples apart, to where each sample is wanted. */
/* @inline */ export function spreadRow<T>(job: WarpTask, row: i32): void {
  const shift = row * job.targetRow
  const to0 = job.target0 ? job.target0 + shift : 0
  const to1 = job.target1 ? job.target1 + shift : 0
  const to2 = job.target2 ? job.target2 + shift : 0
  const to3 = job.target3 ? job.target3 + shift : 0
  let pixel = 0
  if (job.targetPixel == sizeof<T>()) {
    const together: i32 = sizeof<T>() <= 2 ? 8 : 16 / <i32>sizeof<T>()
    for (; pixel + together <= job.width; pixel += together) {
      const from = job.packed + pixel * 4 * sizeof<T>()
      const at = pixel * sizeof<T>()
      if (sizeof<T>() == 1) spreadBytes(from, at, to0, to1, to2, to3)
      else if (sizeof<T>() == 2) spreadShorts(from, at, to0, to1, to2, to3)
      else if (sizeof<T>() == 4) spreadWords(from, at, to0, to1, to2, to3)
      else spreadLongs(from, at, to0, to1, to2, to3)
    }
  }
  for (; pixel < job.width; pixel++) {
    const from = job.packed + pixel * 4 * sizeof<T>()
    const at = pixel * job.targetPixel
    if (to0) store<T>(to0 + at, load<T>(from))
    if (to1) store<T>(to1 + at, load<T>(from, sizeof<T>()))
    if (to2) store<T>(to2 + at, load<T>(from, 2 * sizeof<T>()))
    if (to3) store<T>(to3 + at, load<T>(from, 3 * sizeof<T>()))
  }
}

/* @inline */ function spreadBytes(from: usize, at: usize, to0: usize, to1: usize, to2: usize, to3: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const even = i8x16.shuffle(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29)
  const odd = i8x16.shuffle(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31)
  if (to0) v128.store64_lane(to0 + at, even, 0)
  if (to1) v128.store64_lane(to1 + at, even, 1)
  if (to2) v128.store64_lane(to2 + at, odd, 0)
  if (to3) v128.store64_lane(to3 + at, odd, 1)
}

/* @inline */ function spreadShorts(from: usize, at: usize, to0: usize, to1: usize, to2: usize, to3: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  const e = i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
  const f = i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
  const g = i16x8.shuffle(c, d, 0, 8, 1, 9, 2, 10, 3, 11)
  const h = i16x8.shuffle(c, d, 4, 12, 5, 13, 6, 14, 7, 15)
  const i = i16x8.shuffle(e, f, 0, 8, 1, 9, 2, 10, 3, 11)
  const j = i16x8.shuffle(e, f, 4, 12, 5, 13, 6, 14, 7, 15)
  const k = i16x8.shuffle(g, h, 0, 8, 1, 9, 2, 10, 3, 11)
  const l = i16x8.shuffle(g, h, 4, 12, 5, 13, 6, 14, 7, 15)
  if (to0) v128.store(to0 + at, i64x2.shuffle(i, k, 0, 2))
  if (to1) v128.store(to1 + at, i64x2.shuffle(i, k, 1, 3))
  if (to2) v128.store(to2 + at, i64x2.shuffle(j, l, 0, 2))
  if (to3) v128.store(to3 + at, i64x2.shuffle(j, l, 1, 3))
}

/* @inline */ function spreadWords(from: usize, at: usize, to0: usize, to1: usize, to2: usize, to3: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  const e = i32x4.shuffle(a, b, 0, 4, 1, 5)
  const f = i32x4.shuffle(a, b, 2, 6, 3, 7)
  const g = i32x4.shuffle(c, d, 0, 4, 1, 5)
  const h = i32x4.shuffle(c, d, 2, 6, 3, 7)
  if (to0) v128.store(to0 + at, i64x2.shuffle(e, g, 0, 2))
  if (to1) v128.store(to1 + at, i64x2.shuffle(e, g, 1, 3))
  if (to2) v128.store(to2 + at, i64x2.shuffle(f, h, 0, 2))
  if (to3) v128.store(to3 + at, i64x2.shuffle(f, h, 1, 3))
}

/* @inline */ function spreadLongs(from: usize, at: usize, to0: usize, to1: usize, to2: usize, to3: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  if (to0) v128.store(to0 + at, i64x2.shuffle(a, c, 0, 2))
  if (to1) v128.store(to1 + at, i64x2.shuffle(a, c, 1, 3))
  if (to2) v128.store(to2 + at, i64x2.shuffle(b, d, 0, 2))
  if (to3) v128.store(to3 + at, i64x2.shuffle(b, d, 1, 3))
}
