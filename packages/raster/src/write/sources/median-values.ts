import { SAMPLE_TYPES, sampleTypeOf } from '../../sample-types.ts'
import type { PixelRows } from '../../types.ts'
import { validRuns } from './fill-out.ts'
import type { GridReader, GridRows } from './grid-reader.ts'

/** Samples of all files that are in memory at once. */
const SAMPLES_AT_ONCE = 8_388_608

/**
 * The median of the valid samples of all readers in rows of a grid that begin at `top`, band by band; of an even number the
 * mean of the middle two. Few rows are read at once, so that memory does not grow with the rows that are asked for.
 */
export async function medianValues(readers: readonly GridReader[], top: number, into: PixelRows): Promise<void> {
  const { width, bands } = into
  const rowsAtOnce = Math.max(1, Math.floor(SAMPLES_AT_ONCE / (width * bands * readers.length)))
  for (let row = 0; row < into.rows; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, into.rows - row)
    const samples = new Float64Array(width * rows * bands * readers.length)
    const counts = new Uint16Array(width * rows)
    for (const read of readers) {
      const found = await read(top + row, rows)
      if (found) collectSamples(found, top + row, { width, bands, files: readers.length }, samples, counts)
    }
    writeMedians(samples, counts, readers.length, into, row * width)
  }
}

interface SampleShape {
  readonly width: number
  readonly bands: number
  readonly files: number
}

/** The samples of a pixel and band lie beside each other, one of each file. */
function collectSamples(
  { left, top, pixels }: GridRows,
  first: number,
  { width, bands, files }: SampleShape,
  samples: Float64Array,
  counts: Uint16Array,
): void {
  for (let row = 0; row < pixels.rows; row++) {
    const from = row * pixels.width
    const shift = (top - first + row) * width + left - from
    for (const [start, end] of validRuns(pixels, from))
      for (let pixel = start; pixel < end; pixel++) {
        const count = counts[pixel + shift]!++
        for (let band = 0; band < bands; band++)
          samples[((pixel + shift) * bands + band) * files + count] = pixels.data[pixel * bands + band]!
      }
  }
}

function writeMedians(
  samples: Float64Array,
  counts: Uint16Array,
  files: number,
  { bands, data, mask }: PixelRows,
  first: number,
): void {
  const isWhole = SAMPLE_TYPES[sampleTypeOf(data)].format !== 3
  for (let pixel = 0; pixel < counts.length; pixel++) {
    const count = counts[pixel]!
    if (count === 0) continue
    mask![first + pixel] = 255
    for (let band = 0; band < bands; band++) {
      const begin = (pixel * bands + band) * files
      const sorted = samples.subarray(begin, begin + count).sort()
      const middle = count >> 1
      const median = count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
      data[(first + pixel) * bands + band] = isWhole ? Math.floor(median + 0.5) : median
    }
  }
}
