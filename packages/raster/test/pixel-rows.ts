import { sampleTypeProperties, getSampleTypeOfArray } from '../src/sample-types.ts'
import type { PixelBlock, PixelRows } from '../src/types.ts'
import { viewSamplesAsWords } from '../src/cog/writer/strip.ts'

/** Converts a band-sequential block to pixel-interleaved rows, as they are written. */
export function blockToPixelRows(block: PixelBlock): PixelRows {
  const { width, height, bands, mask } = block
  const count = width * height
  if (bands === 1) return { width, rows: height, bands, data: block.data, mask }
  const data = sampleTypeProperties[getSampleTypeOfArray(block.data)].allocate(count * bands)
  const [from, to] = [viewSamplesAsWords(block.data), viewSamplesAsWords(data)]
  for (let band = 0; band < bands; band++)
    for (let pixel = 0, at = band; pixel < count; pixel++, at += bands) to[at] = from[band * count + pixel]!
  return { width, rows: height, bands, data, mask }
}
