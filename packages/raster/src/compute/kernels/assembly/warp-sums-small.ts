import { WarpTask } from './warp-job.ts'
import { areFourValid, loadValid, maskAt } from './warp-masks.ts'
import { gatherFour, loadFour, limitShort, roundShort, storeFirst, storeFour } from './warp-samples.ts'
import { coverShort, firstPlaces, nextPlaces, Taps, weightsOf } from './warp-taps.ts'

/**
 * The weighted mean of the valid pixels for samples of 8 and 16 bits: columns are summed first, as f32 differences from a
 * pixel near by, then weighed and summed in four lanes. False where the weights come to nothing. Pixels beyond the last
 * column are loaded as well, but have no weight.
 */
/* @inline */ export function sumFourSmall<T>(job: WarpTask, across: Taps, down: Taps, to: usize, covers: bool): bool {
  const pixelBytes = job.sourcePixel
  const rowBytes = job.sourceRow
  const corner = job.source + down.first * rowBytes + across.first * pixelBytes
  const lines = down.count
  const origin = loadFour<T>(job.source + down.under * rowBytes + across.under * pixelBytes)
  let sum0 = f32x4.splat(0)
  let sum1 = f32x4.splat(0)
  let sum2 = f32x4.splat(0)
  let sum3 = f32x4.splat(0)
  let totals = f32x4.splat(0)
  for (let tap = 0, places = firstPlaces(); tap < across.count; tap += 4, places = nextPlaces(places)) {
    let column0 = f32x4.splat(0)
    let column1 = f32x4.splat(0)
    let column2 = f32x4.splat(0)
    let column3 = f32x4.splat(0)
    let seen = f32x4.splat(0)
    let at = corner + tap * pixelBytes
    let mask = maskAt(job, across, down, tap)
    if (mask && areFourValid(mask, job.sourceWidth, lines)) mask = 0
    if (tap + 1 == across.count && !mask) {
      for (let line = 0; line < lines; line++, at += rowBytes) {
        const weight = weightDown(down, line, lines, covers)
        column0 = f32x4.add(column0, f32x4.mul(distances<T>(at, origin), weight))
        seen = f32x4.add(seen, weight)
      }
    } else
      for (let line = 0; line < lines; line++, at += rowBytes) {
        const weight = weightDown(down, line, lines, covers)
        let distance0 = distances<T>(at, origin)
        let distance1 = distances<T>(at + pixelBytes, origin)
        let distance2 = distances<T>(at + 2 * pixelBytes, origin)
        let distance3 = distances<T>(at + 3 * pixelBytes, origin)
        if (mask) {
          const valid = loadValid(mask)
          distance0 = v128.and(distance0, i32x4.shuffle(valid, valid, 0, 0, 0, 0))
          distance1 = v128.and(distance1, i32x4.shuffle(valid, valid, 1, 1, 1, 1))
          distance2 = v128.and(distance2, i32x4.shuffle(valid, valid, 2, 2, 2, 2))
          distance3 = v128.and(distance3, i32x4.shuffle(valid, valid, 3, 3, 3, 3))
          seen = f32x4.add(seen, v128.and(weight, valid))
          mask += job.sourceWidth
        } else seen = f32x4.add(seen, weight)
        column0 = f32x4.add(column0, f32x4.mul(distance0, weight))
        column1 = f32x4.add(column1, f32x4.mul(distance1, weight))
        column2 = f32x4.add(column2, f32x4.mul(distance2, weight))
        column3 = f32x4.add(column3, f32x4.mul(distance3, weight))
      }
    const weights = covers ? coverShort(across, places) : v128.load(weightsOf(across) + (tap << 2))
    sum0 = f32x4.add(sum0, f32x4.mul(column0, i32x4.shuffle(weights, weights, 0, 0, 0, 0)))
    sum1 = f32x4.add(sum1, f32x4.mul(column1, i32x4.shuffle(weights, weights, 1, 1, 1, 1)))
    sum2 = f32x4.add(sum2, f32x4.mul(column2, i32x4.shuffle(weights, weights, 2, 2, 2, 2)))
    sum3 = f32x4.add(sum3, f32x4.mul(column3, i32x4.shuffle(weights, weights, 3, 3, 3, 3)))
    totals = f32x4.add(totals, f32x4.mul(seen, weights))
  }
  const total = sumLanes(totals)
  if (<f64>f32x4.extract_lane(total, 0) < job.least) return false
  const sum = f32x4.add(f32x4.add(sum0, sum2), f32x4.add(sum1, sum3))
  storeFour<T>(to, i32x4.add(origin, roundShort(limitShort(f32x4.div(sum, total)))))
  return true
}

/* @inline */ function distances<T>(at: usize, origin: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.sub(loadFour<T>(at), origin))
}

/** The same for one sample of every pixel; here the lanes are columns. */
/* @inline */ export function sumSmall<T>(job: WarpTask, across: Taps, down: Taps, to: usize, covers: bool): bool {
  const pixelBytes = job.sourcePixel
  const rowBytes = job.sourceRow
  const corner = job.source + down.first * rowBytes + across.first * pixelBytes
  const lines = down.count
  const origin = i32x4.splat(<i32>load<T>(job.source + down.under * rowBytes + across.under * pixelBytes))
  let sums = f32x4.splat(0)
  let totals = f32x4.splat(0)
  let places = firstPlaces()
  for (let tap = 0; tap < across.count; tap += 4, places = nextPlaces(places)) {
    let columns = f32x4.splat(0)
    let seen = f32x4.splat(0)
    let at = corner + tap * pixelBytes
    let mask = maskAt(job, across, down, tap)
    if (mask && areFourValid(mask, job.sourceWidth, lines)) mask = 0
    for (let line = 0; line < lines; line++, at += rowBytes) {
      const weight = weightDown(down, line, lines, covers)
      const samples = pixelBytes == sizeof<T>() ? loadFour<T>(at) : gatherFour<T>(at, pixelBytes)
      let distance = f32x4.convert_i32x4_s(i32x4.sub(samples, origin))
      if (mask) {
        const valid = loadValid(mask)
        distance = v128.and(distance, valid)
        seen = f32x4.add(seen, v128.and(weight, valid))
        mask += job.sourceWidth
      } else seen = f32x4.add(seen, weight)
      columns = f32x4.add(columns, f32x4.mul(distance, weight))
    }
    const weights = covers ? coverShort(across, places) : v128.load(weightsOf(across) + (tap << 2))
    sums = f32x4.add(sums, f32x4.mul(columns, weights))
    totals = f32x4.add(totals, f32x4.mul(seen, weights))
  }
  const total = sumLanes(totals)
  if (<f64>f32x4.extract_lane(total, 0) < job.least) return false
  storeFirst<T>(to, i32x4.add(origin, roundShort(limitShort(f32x4.div(sumLanes(sums), total)))))
  return true
}

/* @inline */ function weightDown(down: Taps, line: i32, lines: i32, covers: bool): v128 {
  if (!covers) return v128.load32_splat(weightsOf(down) + (line << 2))
  if (line == 0) return f32x4.splat(<f32>down.firstWeight)
  return line == lines - 1 ? f32x4.splat(<f32>down.lastWeight) : f32x4.splat(1)
}

/** (0 + 2) + (1 + 3), in all lanes. */
/* @inline */ function sumLanes(lanes: v128): v128 {
  const halves = f32x4.add(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1))
  return f32x4.add(halves, i32x4.shuffle(halves, halves, 1, 0, 3, 2))
}
