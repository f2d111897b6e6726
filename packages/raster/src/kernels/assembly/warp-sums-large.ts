import { Job } from './warp-job.ts'
import { loadPair, storeLarge, storePair } from './warp-samples.ts'
import { coverLong, Taps, weightsOf } from './warp-taps.ts'

/**
 * The weighted mean of the valid pixels for samples of 32 and 64 bits, in f64: columns are summed first, then weighed and
 * summed. False where the weights come to nothing. Pixels without weight may be anything, also NaN.
 */
/* @inline */ export function sumFourLarge<T>(job: Job, across: Taps, down: Taps, to: usize, covers: bool): bool {
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

/** The same for one sample of every pixel. */
/* @inline */ export function sumLarge<T>(job: Job, across: Taps, down: Taps, to: usize, covers: bool): bool {
  let sum: f64 = 0
  let total: f64 = 0
  for (let tap = 0; tap < across.count; tap++) {
    const weight = weightAt(across, tap, covers)
    if (weight == 0) continue
    let column: f64 = 0
    let seen: f64 = 0
    let at = job.source + down.first * job.sourceRow + (across.first + tap) * job.sourcePixel
    let mask = maskAt(job, across, down, tap)
    for (let line = 0; line < down.count; line++, at += job.sourceRow) {
      const weight = weightAt(down, line, covers)
      const counts = !mask || load<u8>(mask)
      if (mask) mask += job.sourceWidth
      if (!counts || weight == 0) continue
      column += <f64>load<T>(at) * weight
      seen += weight
    }
    sum += column * weight
    total += seen * weight
  }
  if (total < job.least) return false
  storeLarge<T>(to, sum / total)
  return true
}

/* @inline */ function maskAt(job: Job, across: Taps, down: Taps, tap: i32): usize {
  return job.sourceMask ? job.sourceMask + down.first * job.sourceWidth + across.first + tap : 0
}

/* @inline */ function weightAt(taps: Taps, tap: i32, covers: bool): f64 {
  return covers ? coverLong(taps, tap) : load<f64>(weightsOf(taps) + (tap << 3))
}
