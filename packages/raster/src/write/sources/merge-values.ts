import { SAMPLE_TYPES, sampleTypeOf } from '../../sample-types.ts'
import type { PixelRows } from '../../types.ts'
import { validRuns } from './fill-out.ts'
import type { GridReader, GridRows } from './grid-reader.ts'

export type Merging = 'lowest' | 'highest' | 'mean'

/** How a value joins those before it, and what comes of them all. */
const MERGES: Readonly<Record<Merging, (before: number, value: number) => number>> = {
  lowest: (before, value) => (value < before ? value : before),
  highest: (before, value) => (value > before ? value : before),
  mean: (before, value) => before + value,
}

/** Merges the valid samples of all readers into rows of a grid that begin at `top`, band by band, in 64-bit numbers. */
export async function mergeValues(
  readers: readonly GridReader[],
  merging: Merging,
  top: number,
  into: PixelRows,
): Promise<void> {
  const merged = new Float64Array(into.data.length)
  const counts = new Uint16Array(into.width * into.rows)
  for (const read of readers) {
    const found = await read(top, into.rows)
    if (found) mergeRows(found, MERGES[merging], top, into, merged, counts)
  }
  const { format } = SAMPLE_TYPES[sampleTypeOf(into.data)]
  for (let pixel = 0; pixel < counts.length; pixel++) {
    const count = counts[pixel]!
    if (count === 0) continue
    into.mask![pixel] = 255
    for (let at = pixel * into.bands; at < (pixel + 1) * into.bands; at++) {
      const value = merging === 'mean' ? merged[at]! / count : merged[at]!
      into.data[at] = format === 3 ? value : Math.floor(value + 0.5)
    }
  }
}

function mergeRows(
  { left, top, pixels }: GridRows,
  merge: (before: number, value: number) => number,
  first: number,
  { width, bands }: PixelRows,
  merged: Float64Array,
  counts: Uint16Array,
): void {
  const samples = new Float64Array(pixels.width * bands)
  for (let row = 0; row < pixels.rows; row++) {
    const from = row * pixels.width
    const shift = (top - first + row) * width + left - from
    samples.set(pixels.data.subarray(from * bands, (from + pixels.width) * bands))
    for (const [start, end] of validRuns(pixels, from))
      for (let pixel = start; pixel < end; pixel++) {
        const isFirst = counts[pixel + shift]!++ === 0
        for (let band = 0; band < bands; band++) {
          const value = samples[(pixel - from) * bands + band]!
          const at = (pixel + shift) * bands + band
          merged[at] = isFirst ? value : merge(merged[at]!, value)
        }
      }
  }
}
