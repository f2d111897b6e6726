import { sampleTypes, sampleTypeOf } from '../src/sample-types.ts'
import type { PixelBlock, PixelRows } from '../src/types.ts'
import { wordsOf } from '../src/cog/writer/strip.ts'

/** Converts a band-sequential block to pixel-interleaved rows, as they are written. */
export function blockToPixelRows(block: PixelBlock): PixelRows {
  const { width, height, bands, mask } = block
  const count = width * height
  if (bands === 1) return { width, rows: height, bands, data: block.data, mask }
  const data = sampleTypes[sampleTypeOf(block.data)].allocate(count * bands)
  const [from, to] = [wordsOf(block.data), wordsOf(data)]
  for (let band = 0; band < bands; band++)
    for (let pixel = 0, at = band; pixel < count; pixel++, at += bands) to[at] = from[band * count + pixel]!
  return { width, rows: height, bands, data, mask }
}
