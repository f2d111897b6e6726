import { sampleTypeProperties } from '../../src/sample-types.ts'
import type { SampleArray, SampleType } from '../../src/types.ts'
import { settle } from './reference-warp-positions.ts'
import type { PositionRow } from './reference-warp-positions.ts'
import { aim, cover } from './reference-warp-taps.ts'
import type { Keep, Taps } from './reference-warp-taps.ts'
import type { WarpKernelJob } from '../../src/compute/kernels/types.ts'
import { linearResampleAxisPlan, minWeightSums, planResampleWeights } from '../../src/compute/kernels/warp-job.ts'

/** Pixels as they lie in memory. */
export interface WarpSource {
  readonly type: SampleType
  readonly width: number
  readonly height: number
  readonly samples: SampleArray
  /** Index of a band's sample of a pixel. */
  readonly indexOf: (x: number, y: number, band: number) => number
  readonly isValid: (x: number, y: number) => boolean
}

/** Puts one value a band into `values`; false, and anything in them, where the pixel stays empty. */
type Sampler = (column: number, here: PositionRow, below: PositionRow) => boolean

type Place = readonly [x: number, y: number]

/** Returns the function that resamples one pixel of a job from its source. */
export function createSampler(job: WarpKernelJob, source: WarpSource, values: Float64Array): Sampler {
  if (job.resampling === 'nearest') return nearest(source, values)
  if (job.resampling === 'average') return average(source, values)
  return planResampleWeights(job).blends ? bilinear(job, source, values) : weighted(job, source, values)
}

function nearest(source: WarpSource, values: Float64Array): Sampler {
  return (column, here) => {
    const under = pixelUnder(source, here.x[column]!, here.y[column]!)
    if (!under) return false
    for (let band = 0; band < values.length; band++) values[band] = source.samples[source.indexOf(...under, band)]!
    return true
  }
}

/** The valid pixel of the source that a position lies in. A position just before the first pixel is not in it. */
function pixelUnder(source: WarpSource, x: number, y: number): Place | null {
  const column = Math.floor(settle(x))
  const row = Math.floor(settle(y))
  // NaN fails these comparisons as well.
  const inside = x >= 0 && y >= 0 && column < source.width && row < source.height
  return inside && source.isValid(column, row) ? [column, row] : null
}

/** Between four neighbours, of which one that is missing makes it a matter of weights. */
function bilinear(job: WarpKernelJob, source: WarpSource, values: Float64Array): Sampler {
  const apart = weighted(job, source, values)
  const { keep, finish } = arithmeticOf(source.type)
  return (column, here, below) => {
    const x = settle(here.x[column]!) - 0.5
    const y = settle(here.y[column]!) - 0.5
    const left = Math.floor(x)
    const top = Math.floor(y)
    if (!areValid(source, left, top, 2, 2)) return apart(column, here, below)
    const partX = keep(x - left)
    const partY = keep(y - top)
    for (let band = 0; band < values.length; band++) {
      const [a, b, c, d] = [
        source.samples[source.indexOf(left, top, band)]!,
        source.samples[source.indexOf(left + 1, top, band)]!,
        source.samples[source.indexOf(left, top + 1, band)]!,
        source.samples[source.indexOf(left + 1, top + 1, band)]!,
      ]
      const sides = keep(keep((b - a) * partX) + keep((c - a) * partY))
      const turn = keep((d - c - (b - a)) * keep(partX * partY))
      values[band] = finish(a, keep(sides + turn))
    }
    return true
  }
}

function areValid(source: WarpSource, left: number, top: number, width: number, height: number): boolean {
  if (!(left >= 0 && top >= 0 && left + width <= source.width && top + height <= source.height)) return false
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++) if (!source.isValid(x, y)) return false
  return true
}

function weighted(job: WarpKernelJob, source: WarpSource, values: Float64Array): Sampler {
  const plan = planResampleWeights(job)
  const { keep } = arithmeticOf(source.type)
  return (column, here) => {
    const under = pixelUnder(source, here.x[column]!, here.y[column]!)
    if (!under) return false
    const x = settle(here.x[column]!)
    const y = settle(here.y[column]!)
    const across = aim(plan.across, x, source.width, keep)
    const down = aim(plan.down, y, source.height, keep)
    if (!plan.needsAll || isComplete(source, across, down))
      return sum(source, across, down, under, minWeightSums.kernel, values)
    const blend: [Taps, Taps] = [
      aim(linearResampleAxisPlan, x, source.width, keep),
      aim(linearResampleAxisPlan, y, source.height, keep),
    ]
    return sum(source, ...blend, under, minWeightSums.kernel, values)
  }
}

function isComplete(source: WarpSource, across: Taps, down: Taps): boolean {
  if (!across.whole || !down.whole) return false
  return areValid(source, across.first, down.first, across.weights.length, down.weights.length)
}

/** `here` and `below` are rows of corners. */
function average(source: WarpSource, values: Float64Array): Sampler {
  const { keep } = arithmeticOf(source.type)
  return (column, here, below) => {
    const across = cover(here.x[column]!, below.x[column + 1]!, source.width, keep)
    const down = cover(here.y[column]!, below.y[column + 1]!, source.height, keep)
    if (!across || !down) return false
    const middle: Place = [across.first + (across.weights.length >> 1), down.first + (down.weights.length >> 1)]
    return sum(source, across, down, middle, minWeightSums.mean, values)
  }
}

/**
 * The weighted mean of the valid pixels, column by column; false where their weights come to nothing. `near` is a pixel
 * among them. Pixels without weight may be anything, also NaN.
 */
function sum(source: WarpSource, across: Taps, down: Taps, near: Place, least: number, values: Float64Array): boolean {
  const { keep, addUp, originOf, finish } = arithmeticOf(source.type)
  for (let band = 0; band < values.length; band++) {
    const origin = originOf(source.samples[source.indexOf(...near, band)]!)
    const sums: number[] = []
    const totals: number[] = []
    for (const [i, weight] of across.weights.entries()) {
      let column = 0
      let seen = 0
      for (const [j, weightDown] of down.weights.entries()) {
        const x = across.first + i
        const y = down.first + j
        if (weight === 0 || weightDown === 0 || !source.isValid(x, y)) continue
        column = keep(column + keep((source.samples[source.indexOf(x, y, band)]! - origin) * weightDown))
        seen = keep(seen + weightDown)
      }
      sums.push(keep(column * weight))
      totals.push(keep(seen * weight))
    }
    const total = addUp(totals)
    if (total < least) return false
    values[band] = finish(origin, keep(addUp(sums) / total))
  }
  return true
}

interface Arithmetic {
  /** Rounds a number to the precision of the sums. */
  readonly keep: Keep
  readonly addUp: (values: readonly number[]) => number
  /** The value that sums are taken relative to. */
  readonly originOf: (sample: number) => number
  /** A sample from an origin and a distance: integers are rounded half up and clamped to their range. */
  readonly finish: (origin: number, distance: number) => number
}

const arithmeticByType = new Map<SampleType, Arithmetic>()

function arithmeticOf(type: SampleType): Arithmetic {
  let arithmetic = arithmeticByType.get(type)
  if (!arithmetic) arithmeticByType.set(type, (arithmetic = createArithmetic(type)))
  return arithmetic
}

/** A half and a hair: means of whole numbers often lie just between two, and must not fall short of it by an error of f32. */
const short_half = 0.5 + 2 ** -14

function createArithmetic(type: SampleType): Arithmetic {
  const { bits, format, lowest, highest } = sampleTypeProperties[type]
  const clamp = (value: number): number => Math.max(lowest, Math.min(highest, value))
  if (bits <= 16)
    return {
      keep: Math.fround,
      addUp: addUpShort,
      originOf: (sample) => sample,
      finish: (origin, distance) => clamp(origin + Math.floor(Math.fround(distance + short_half))),
    }
  return {
    keep: (value) => value,
    addUp: (values) => values.reduce((sum, value) => sum + value, 0),
    originOf: () => 0,
    finish:
      format === 3
        ? (origin, distance) => origin + distance
        : (origin, distance) => clamp(Math.floor(origin + distance + 0.5)),
  }
}

/** Every fourth together, and then the four. */
function addUpShort(values: readonly number[]): number {
  const lanes = [0, 0, 0, 0]
  for (const [at, value] of values.entries()) lanes[at % 4] = Math.fround(lanes[at % 4]! + value)
  const [a, b, c, d] = lanes as [number, number, number, number]
  return Math.fround(Math.fround(a + c) + Math.fround(b + d))
}
