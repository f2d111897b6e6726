import { isNodataSample } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { writeCombinedValues } from './band-values.ts'
import type { CombinedValueLayer, CombinedValueTarget } from './band-values.ts'
import { findValidPixelRuns } from './pad-rows.ts'
import type { GridRows } from './grid-reader.ts'

/** Samples of all files that are in memory at once. */
const samples_at_once = 8_388_608

/**
 * The median of the valid samples of all files in rows of a grid that begin at `top`, band by band; of an even number
 * the mean of the middle two. Few rows are read at once, so that memory does not grow with the number of requested
 * rows.
 */
export async function computeMedianValues(
  layers: readonly CombinedValueLayer[],
  top: number,
  target: CombinedValueTarget,
): Promise<void> {
  const { width, bands, rows: allRows } = target.pixels
  const shape = { width, bands, files: layers.length }
  const rowsAtOnce = Math.max(1, Math.floor(samples_at_once / (width * bands * layers.length)))
  for (let row = 0; row < allRows; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, allRows - row)
    const samples = new Float64Array(width * rows * bands * layers.length)
    const counts = new Uint16Array(width * rows * bands)
    for (const { read, missing } of layers) {
      const found = await read(top + row, rows)
      if (found) collectSamples({ found, missing, first: top + row }, shape, samples, counts)
    }
    writeCombinedValues({ values: mediansOf(samples, counts, layers.length), counts }, target, row * width)
  }
}

interface SampleShape {
  readonly width: number
  readonly bands: number
  readonly files: number
}

interface FoundRows {
  readonly found: GridRows
  readonly missing: readonly NodataRange[]
  /** Row of the grid that the samples begin with. */
  readonly first: number
}

/** The samples of a pixel and band lie beside each other, as many as files have one. */
function collectSamples(
  { found: { left, top, pixels }, missing, first }: FoundRows,
  { width, bands, files }: SampleShape,
  samples: Float64Array,
  counts: Uint16Array,
): void {
  for (let row = 0; row < pixels.rows; row++) {
    const from = row * pixels.width
    const shift = (top - first + row) * width + left - from
    for (const [start, end] of findValidPixelRuns(pixels, from))
      for (let pixel = start; pixel < end; pixel++)
        for (let band = 0; band < bands; band++) {
          const value = pixels.data[pixel * bands + band]!
          if (value !== value || isNodataSample(value, missing[band]!)) continue
          const at = (pixel + shift) * bands + band
          samples[at * files + counts[at]!++] = value
        }
  }
}

function mediansOf(samples: Float64Array, counts: Uint16Array, files: number): Float64Array {
  const medians = new Float64Array(counts.length)
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!
    if (count === 0) continue
    const sorted = samples.subarray(at * files, at * files + count).sort()
    const middle = count >> 1
    medians[at] = count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  }
  return medians
}
