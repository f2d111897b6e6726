import { WarpTask } from './warp-job.ts'
import { areFourValid } from './warp-masks.ts'
import { clear } from './warp-nearest.ts'
import { computeRowPositions } from './warp-positions.ts'
import { spreadRow } from './warp-rows.ts'
import { isSmall } from './warp-samples.ts'
import { sumFourLarge, sumLarge } from './warp-sums-large.ts'
import { sumFourSmall, sumSmall } from './warp-sums-small.ts'
import { aim, WarpAxis, cover, Taps } from './warp-taps.ts'

/**
 * Resamples with a kernel and its weights. The taps of all columns are placed before any is summed: the processor overlaps short loops
 * better than a long one.
 */
/* @inline */ export function weighted<T>(job: WarpTask, four: bool): void {
  for (let row = 0; row < job.height; row++) {
    computeRowPositions(job, row, job.positions, job.width)
    if (isSmall<T>()) aimRow<f32>(job)
    else aimRow<f64>(job)
    let to = four ? job.packed : job.target0 + row * job.targetRow
    const step = four ? 4 * <i32>sizeof<T>() : job.targetPixel
    const mask = job.targetMask + row * job.width
    for (let column = 0; column < job.width; column++, to += step) {
      const valid = resamplePixel<T>(job, column, to, four)
      store<u8>(mask + column, valid ? 255 : 0)
      if (!valid) clear<T>(to, four)
    }
    if (four) spreadRow<T>(job, row)
  }
}

/** Aims at every position of a row, but not again at that of the column before or of the row above. */
function aimRow<W>(job: WarpTask): void {
  aimAlong<W>(changetype<WarpAxis>(job.across), job.positions, job.width, job.magic, job.chosen)
  aimAlong<W>(changetype<WarpAxis>(job.down), job.positions + 8, job.width, job.magic, job.chosen + 4)
}

/* @inline */ function aimAlong<W>(axis: WarpAxis, positions: usize, count: i32, magic: f64, chosen: usize): void {
  let slot = axis.slots
  let before: f64 = NaN
  let taps = changetype<Taps>(slot)
  for (let column = 0; column < count; column++, positions += 16, slot += axis.step, chosen += 8) {
    const position = load<f64>(positions)
    if (position != before) {
      taps = changetype<Taps>(slot)
      aim<W>(axis, taps, position, magic)
    }
    before = position
    store<usize>(chosen, changetype<usize>(taps))
  }
}

/* @inline */ function resamplePixel<T>(job: WarpTask, column: i32, to: usize, four: bool): bool {
  const chosen = job.chosen + (column << 3)
  let across = changetype<Taps>(load<usize>(chosen))
  let down = changetype<Taps>(load<usize>(chosen, 4))
  if (!isUnder(job, across, down)) return false
  if (job.spareAcross && !isComplete(job, across, down)) {
    const position = job.positions + (column << 4)
    return resampleWithSpareAxes<T>(job, load<f64>(position), load<f64>(position, 8), to, four)
  }
  return sum<T>(job, across, down, to, four)
}

/** Resamples a pixel with the spare axes. Both are blends of four neighbours, without those that are missing. */
export function resampleWithSpareAxes<T>(job: WarpTask, x: f64, y: f64, to: usize, four: bool): bool {
  const acrossAxis = changetype<WarpAxis>(job.spareAcross)
  const downAxis = changetype<WarpAxis>(job.spareDown)
  const across = changetype<Taps>(acrossAxis.slots)
  const down = changetype<Taps>(downAxis.slots)
  if (isSmall<T>()) {
    aim<f32>(acrossAxis, across, x, job.magic)
    aim<f32>(downAxis, down, y, job.magic)
  } else {
    aim<f64>(acrossAxis, across, x, job.magic)
    aim<f64>(downAxis, down, y, job.magic)
  }
  return isUnder(job, across, down) && sum<T>(job, across, down, to, four)
}

function sum<T>(job: WarpTask, across: Taps, down: Taps, to: usize, four: bool): bool {
  if (isSmall<T>()) {
    return four ? sumFourSmall<T>(job, across, down, to, false) : sumSmall<T>(job, across, down, to, false)
  }
  return four ? sumFourLarge<T>(job, across, down, to, false) : sumLarge<T>(job, across, down, to, false)
}

/** True where the pixel under the position is there and valid. */
/* @inline */ function isUnder(job: WarpTask, across: Taps, down: Taps): bool {
  if (!across.count || !down.count) return false
  return !job.sourceMask || load<u8>(job.sourceMask + down.under * job.sourceWidth + across.under) != 0
}

/** True where nothing is missing that the kernel, four pixels wide, reaches. */
/* @inline */ function isComplete(job: WarpTask, across: Taps, down: Taps): bool {
  if (!(across.whole & down.whole)) return false
  let mask = job.sourceMask
  if (!mask) return true
  mask += down.first * job.sourceWidth + across.first
  return areFourValid(mask, job.sourceWidth, down.count)
}

/** Writes the mean of the source pixels under each target pixel: the upright box between two opposite corners. */
/* @inline */ export function average<T>(job: WarpTask, four: bool): void {
  let upper = job.positions
  let lower = job.nextPositions
  computeRowPositions(job, 0, upper, job.width + 1)
  for (let row = 0; row < job.height; row++) {
    computeRowPositions(job, row + 1, lower, job.width + 1)
    coverRow(job, upper, lower + 16)
    let to = four ? job.packed : job.target0 + row * job.targetRow
    const step = four ? 4 * <i32>sizeof<T>() : job.targetPixel
    const mask = job.targetMask + row * job.width
    for (let column = 0; column < job.width; column++, to += step) {
      const chosen = job.chosen + (column << 3)
      const across = changetype<Taps>(load<usize>(chosen))
      const down = changetype<Taps>(load<usize>(chosen, 4))
      const valid = across.count && down.count && sumCovered<T>(job, across, down, to, four)
      store<u8>(mask + column, valid ? 255 : 0)
      if (!valid) clear<T>(to, four)
    }
    if (four) spreadRow<T>(job, row)
    const spare = upper
    upper = lower
    lower = spare
  }
}

/* @inline */ function sumCovered<T>(job: WarpTask, across: Taps, down: Taps, to: usize, four: bool): bool {
  if (isSmall<T>()) {
    return four ? sumFourSmall<T>(job, across, down, to, true) : sumSmall<T>(job, across, down, to, true)
  }
  return four ? sumFourLarge<T>(job, across, down, to, true) : sumLarge<T>(job, across, down, to, true)
}

/** Computes the taps of the pixels of a row, from the positions of their corners and of the opposite ones. */
function coverRow(job: WarpTask, corners: usize, opposite: usize): void {
  const across = changetype<WarpAxis>(job.across)
  const down = changetype<WarpAxis>(job.down)
  let acrossTaps = across.slots
  let downTaps = down.slots
  let chosen = job.chosen
  const end = corners + (job.width << 4)
  for (; corners < end; corners += 16, opposite += 16, chosen += 8) {
    cover(across, changetype<Taps>(acrossTaps), load<f64>(corners), load<f64>(opposite))
    cover(down, changetype<Taps>(downTaps), load<f64>(corners, 8), load<f64>(opposite, 8))
    store<usize>(chosen, acrossTaps)
    store<usize>(chosen, downTaps, 4)
    acrossTaps += across.step
    downTaps += down.step
  }
}
