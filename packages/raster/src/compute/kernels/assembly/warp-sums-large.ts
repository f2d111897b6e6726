import { WarpTask } from './warp-job.ts'
import { areFourValid, loadValid, maskAt } from './warp-masks.ts'
import { loadPair, storeLarge, storePair } from './warp-samples.ts'
import { coverLong, Taps, weightsOf } from './warp-taps.ts'

/**
 * The weighted mean of the valid pixels for samples of 32 and 64 bits, in f64: columns are summed first, then weighed and
 * summed. False where the weights come to nothing. Pixels without weight may be anything, also NaN.
 */
/* @inline */ export function sumFourLarge<T>(job: WarpTask, across: Taps, down: Taps, to: usize, covers: bool): bool {
  const half = 2 * sizeof<T>()
  let low = f64x2.splat(0)
  let high = f64x2.splat(0)
  let total: f64 = 0
  for (let tap = 0; tap < across.count; tap++) {
    const weight = weightAt(across, tap, covers)
    if (weight == 0) continue
    let columnLow = f64x2.splat(0)
    let columnHigh = f64x2.splat(0)
    let seen: f64 = 0
    let at = job.source + down.first * job.sourceRow + (across.first + tap) * job.sourcePixel
    let mask = maskAt(job, across, down, tap)
    for (let line = 0; line < down.count; line++, at += job.sourceRow) {
      const weight = weightAt(down, line, covers)
      const counts = !mask || load<u8>(mask)
      if (mask) mask += job.sourceWidth
      if (!counts || weight == 0) continue
      columnLow = f64x2.add(columnLow, f64x2.mul(loadPair<T>(at), f64x2.splat(weight)))
      columnHigh = f64x2.add(columnHigh, f64x2.mul(loadPair<T>(at + half), f64x2.splat(weight)))
      seen += weight
    }
    low = f64x2.add(low, f64x2.mul(columnLow, f64x2.splat(weight)))
    high = f64x2.add(high, f64x2.mul(columnHigh, f64x2.splat(weight)))
    total += seen * weight
  }
  if (total < job.least) return false
  storePair<T>(to, f64x2.div(low, f64x2.splat(total)))
  storePair<T>(to + half, f64x2.div(high, f64x2.splat(total)))
  return true
}

/** The same for one sample of every pixel; here the lanes are columns, of which those without weight are loaded as well. */
/* @inline */ export function sumLarge<T>(job: WarpTask, across: Taps, down: Taps, to: usize, covers: bool): bool {
  const rowBytes = job.sourceRow
  const pixelBytes = job.sourcePixel
  const corner = job.source + down.first * rowBytes + across.first * pixelBytes
  let sum: f64 = 0
  let total: f64 = 0
  for (let tap = 0; tap < across.count; tap += 4) {
    let left = f64x2.splat(0)
    let right = f64x2.splat(0)
    let seenLeft = f64x2.splat(0)
    let seenRight = f64x2.splat(0)
    let at = corner + tap * pixelBytes
    let mask = maskAt(job, across, down, tap)
    if (mask && areFourValid(mask, job.sourceWidth, down.count)) mask = 0
    for (let line = 0; line < down.count; line++, at += rowBytes) {
      let weightLeft = f64x2.splat(weightAt(down, line, covers))
      let weightRight = weightLeft
      const sampleLeft = columnPair<T>(at, pixelBytes)
      const sampleRight = columnPair<T>(at + 2 * pixelBytes, pixelBytes)
      if (mask) {
        const valid = loadValid(mask)
        weightLeft = v128.and(weightLeft, i64x2.extend_low_i32x4_s(valid))
        weightRight = v128.and(weightRight, i64x2.extend_high_i32x4_s(valid))
        mask += job.sourceWidth
      }
      left = f64x2.add(left, weigh(sampleLeft, weightLeft))
      right = f64x2.add(right, weigh(sampleRight, weightRight))
      seenLeft = f64x2.add(seenLeft, weightLeft)
      seenRight = f64x2.add(seenRight, weightRight)
    }
    const weightsLeft = f64x2.replace_lane(
      f64x2.splat(weightAt(across, tap, covers)),
      1,
      weightAt(across, tap + 1, covers),
    )
    const weightsRight = f64x2.replace_lane(
      f64x2.splat(weightAt(across, tap + 2, covers)),
      1,
      weightAt(across, tap + 3, covers),
    )
    sum = addInto(sum, weigh(left, weightsLeft), weigh(right, weightsRight))
    total = addInto(total, f64x2.mul(seenLeft, weightsLeft), f64x2.mul(seenRight, weightsRight))
  }
  if (total < job.least) return false
  storeLarge<T>(to, sum / total)
  return true
}

/** Two samples side by side as f64. */
/* @inline */ function columnPair<T>(at: usize, step: i32): v128 {
  if (step == sizeof<T>()) return loadPair<T>(at)
  return f64x2.replace_lane(f64x2.splat(<f64>load<T>(at)), 1, <f64>load<T>(at + step))
}

/** Nothing where the weight is 0, whatever the value. */
/* @inline */ function weigh(values: v128, weights: v128): v128 {
  return f64x2.mul(v128.and(values, f64x2.ne(weights, i64x2.splat(0))), weights)
}

/* @inline */ function addInto(sum: f64, left: v128, right: v128): f64 {
  const two = sum + f64x2.extract_lane(left, 0) + f64x2.extract_lane(left, 1)
  return two + f64x2.extract_lane(right, 0) + f64x2.extract_lane(right, 1)
}

/* @inline */ function weightAt(taps: Taps, tap: i32, covers: bool): f64 {
  return covers ? coverLong(taps, tap) : load<f64>(weightsOf(taps) + (tap << 3))
}
