import { WarpTask } from './warp-job.ts'
import { computeRowPositions } from './warp-positions.ts'
import { spreadRow } from './warp-rows.ts'

/** One sample of every pixel. */
/* @inline */ export function nearestOne<T>(job: WarpTask): void {
  for (let row = 0; row < job.height; row++) {
    computeRowPositions(job, row, job.positions, job.width)
    takeRow<T>(job, job.targetMask + row * job.width, job.target0 + row * job.targetRow, job.targetPixel, false)
  }
}

/** Four samples of every pixel. */
/* @inline */ export function nearestFour<T>(job: WarpTask): void {
  for (let row = 0; row < job.height; row++) {
    computeRowPositions(job, row, job.positions, job.width)
    takeRow<T>(job, job.targetMask + row * job.width, job.packed, 4 * sizeof<T>(), true)
    spreadRow<T>(job, row)
  }
}

/* @inline */ function takeRow<T>(job: WarpTask, mask: usize, to: usize, step: i32, four: bool): void {
  const magic = f64x2.splat(job.magic)
  const bias = i64x2.splat(job.bias)
  const source = job.source
  const sourceMask = job.sourceMask
  const width = job.sourceWidth
  const lastColumn = <u32>(width - 1)
  const lastRow = <u32>(job.sourceHeight - 1)
  const pixelBytes = job.sourcePixel
  const rowBytes = job.sourceRow
  let position = job.positions
  const end = position + ((<usize>job.width) << 4)
  for (; position < end; position += 16, to += step, mask++) {
    const place = v128.load(position)
    const words = i32x4.sub(f64x2.add(place, magic), bias)
    const x = i32x4.extract_lane(words, 1)
    const y = i32x4.extract_lane(words, 3)
    // The first column and row are apart: what lies before them by less than is counted does not belong to them.
    if (<u32>(x - 1) >= lastColumn || <u32>(y - 1) >= lastRow) {
      if (!isInside(place, <u32>x, <u32>y, lastColumn, lastRow)) {
        store<u8>(mask, 0)
        clear<T>(to, four)
        continue
      }
    }
    if (sourceMask && !load<u8>(sourceMask + y * width + x)) {
      store<u8>(mask, 0)
      clear<T>(to, four)
      continue
    }
    store<u8>(mask, 255)
    copy<T>(to, source + y * rowBytes + x * pixelBytes, four)
  }
}

/* @inline */ function isInside(place: v128, x: u32, y: u32, lastColumn: u32, lastRow: u32): bool {
  return x <= lastColumn && y <= lastRow && f64x2.extract_lane(place, 0) >= 0 && f64x2.extract_lane(place, 1) >= 0
}

/* @inline */ export function clear<T>(to: usize, four: bool): void {
  if (!four) store<T>(to, <T>0)
  else if (sizeof<T>() == 1) store<u32>(to, 0)
  else if (sizeof<T>() == 2) store<u64>(to, 0)
  else {
    v128.store(to, i64x2.splat(0))
    if (sizeof<T>() == 8) v128.store(to, i64x2.splat(0), 16)
  }
}

/* @inline */ function copy<T>(to: usize, from: usize, four: bool): void {
  if (!four) store<T>(to, load<T>(from))
  else if (sizeof<T>() == 1) store<u32>(to, load<u32>(from))
  else if (sizeof<T>() == 2) store<u64>(to, load<u64>(from))
  else {
    v128.store(to, v128.load(from))
    if (sizeof<T>() == 8) v128.store(to, v128.load(from, 16), 16)
  }
}
