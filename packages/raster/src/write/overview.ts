import type { Samples, SampleType } from '../types.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Strip } from './strip.ts'

export type OverviewResampling = 'average' | 'nearest' | 'mode'

/** What halving must know of the image. */
export interface HalvingRules {
  readonly sampleType: SampleType
  /** As samples can equal it. */
  readonly nodata: number | null
  /** Band after band. */
  readonly resampling: readonly OverviewResampling[]
  /** Index of an alpha band, whose zeros take part in the mean; -1 without. */
  readonly alphaBand: number
}

/**
 * Halves a strip into `target`, from its row `targetRow` on: each new pixel covers 2 × 2 old ones, fewer at an odd edge.
 * A sample takes part when its pixel is not masked and it is neither nodata nor NaN. Where none takes part the new
 * sample is nodata, or without such a value the first of the four.
 */
export function halveStrip(source: Strip, target: Strip, targetRow: number, rules: HalvingRules): void {
  for (let band = 0; band < source.bands; band++) {
    const pick = PICKERS[rules.resampling[band] ?? 'average']
    const alpha = band === rules.alphaBand
    halveBand(
      source,
      target,
      targetRow,
      band,
      alpha ? { ...rules, nodata: null } : rules,
      alpha ? null : source.mask,
      pick,
    )
  }
  if (source.mask && target.mask) halveMask(source, target, targetRow)
}

type Picker = (values: Float64Array, count: number, integer: boolean) => number

const PICKERS: Readonly<Record<OverviewResampling, Picker | null>> = { average: meanOf, mode: modeOf, nearest: null }

function halveBand(
  source: Strip,
  target: Strip,
  targetRow: number,
  band: number,
  rules: HalvingRules,
  mask: Uint8Array | null,
  pick: Picker | null,
): void {
  const integer = SAMPLE_TYPES[rules.sampleType].format !== 3
  const { width, rows, data } = source
  const base = band * source.bandStride
  const found = new Float64Array(4)
  for (let y = 0; y < rows; y += 2) {
    const to = band * target.bandStride + (targetRow + (y >> 1)) * target.width
    const below = y + 1 < rows ? width : 0
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x
      const beside = x + 1 < width ? 1 : 0
      if (pick === null) {
        target.data[to + (x >> 1)] = data[base + at]!
        continue
      }
      let count = takeSample(data, base, at, mask, rules.nodata, found, 0)
      if (beside) count = takeSample(data, base, at + 1, mask, rules.nodata, found, count)
      if (below) count = takeSample(data, base, at + below, mask, rules.nodata, found, count)
      if (below && beside) count = takeSample(data, base, at + below + 1, mask, rules.nodata, found, count)
      if (count === 0) target.data[to + (x >> 1)] = rules.nodata ?? data[base + at]!
      else target.data[to + (x >> 1)] = keepOffNodata(pick(found, count, integer), rules, integer)
    }
  }
}

function takeSample(
  data: Samples,
  base: number,
  at: number,
  mask: Uint8Array | null,
  nodata: number | null,
  found: Float64Array,
  count: number,
): number {
  if (mask !== null && mask[at] === 0) return count
  const value = data[base + at]!
  if (value === nodata || value !== value) return count
  found[count] = value
  return count + 1
}

function meanOf(values: Float64Array, count: number, integer: boolean): number {
  let sum = values[0]!
  for (let i = 1; i < count; i++) sum += values[i]!
  return integer ? Math.floor(sum / count + 0.5) : sum / count
}

/** The commonest value; of equally common ones the first met. */
function modeOf(values: Float64Array, count: number): number {
  let best = 0
  let bestVotes = 0
  for (let i = 0; i < count; i++) {
    let votes = 0
    for (let k = 0; k < count; k++) if (values[k] === values[i]) votes++
    if (votes > bestVotes) {
      best = i
      bestVotes = votes
    }
  }
  return values[best]!
}

/** A mean of valid values must not read as missing only because it happens to equal nodata. */
function keepOffNodata(value: number, rules: HalvingRules, integer: boolean): number {
  if (!integer || value !== rules.nodata) return value
  return value < SAMPLE_TYPES[rules.sampleType].highest ? value + 1 : value - 1
}

/** A new pixel is valid when any of the pixels it covers is. */
function halveMask(source: Strip, target: Strip, targetRow: number): void {
  const { width, rows } = source
  const from = source.mask!
  for (let y = 0; y < rows; y += 2) {
    const below = y + 1 < rows ? width : 0
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x
      const beside = x + 1 < width ? 1 : 0
      const any = from[at]! | from[at + beside]! | from[at + below]! | from[at + below + beside]!
      target.mask![(targetRow + (y >> 1)) * target.width + (x >> 1)] = any === 0 ? 0 : 255
    }
  }
}
