import { isNodataSample } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { writeCombinedValues } from './band-values.ts'
import type { CombinedBandRows, CombinedValueLayer, CombinedValueTarget } from './band-values.ts'
import { findValidPixelRuns } from './pad-rows.ts'
import type { GridRows } from './grid-reader.ts'

export type MergeRule = 'lowest' | 'highest' | 'mean'

/** Functions that merge one value into the result of those before it. */
const mergeFunctions: Readonly<Record<MergeRule, (before: number, value: number) => number>> = {
  lowest: (before, value) => (value < before ? value : before),
  highest: (before, value) => (value > before ? value : before),
  mean: (before, value) => before + value,
}

/** Merges the valid samples of all files into rows of a grid that begin at `top`, band by band, in 64-bit numbers. */
export async function mergeRasterValues(
  layers: readonly CombinedValueLayer[],
  merging: MergeRule,
  top: number,
  target: CombinedValueTarget,
): Promise<void> {
  const { width, bands, rows, data } = target.pixels
  const merged = { values: new Float64Array(data.length), counts: new Uint16Array(data.length) }
  for (const { read, missing } of layers) {
    const found = await read(top, rows)
    if (found) mergeRows(found, missing, mergeFunctions[merging], { width, bands, top, merged })
  }
  const { values, counts } = merged
  if (merging === 'mean') for (let at = 0; at < values.length; at++) if (counts[at] !== 0) values[at]! /= counts[at]!
  writeCombinedValues(merged, target, 0)
}

interface MergedRows {
  readonly width: number
  readonly bands: number
  readonly top: number
  readonly merged: CombinedBandRows
}

function mergeRows(
  { left, top, pixels }: GridRows,
  missing: readonly NodataRange[],
  merge: (before: number, value: number) => number,
  into: MergedRows,
): void {
  const { width, bands } = into
  const { values, counts } = into.merged
  const samples = new Float64Array(pixels.width * bands)
  for (let row = 0; row < pixels.rows; row++) {
    const from = row * pixels.width
    const shift = (top - into.top + row) * width + left - from
    samples.set(pixels.data.subarray(from * bands, (from + pixels.width) * bands))
    for (const [start, end] of findValidPixelRuns(pixels, from))
      for (let pixel = start; pixel < end; pixel++)
        for (let band = 0; band < bands; band++) {
          const value = samples[(pixel - from) * bands + band]!
          if (value !== value || isNodataSample(value, missing[band]!)) continue
          const at = (pixel + shift) * bands + band
          values[at] = counts[at]!++ === 0 ? value : merge(values[at]!, value)
        }
  }
}
