import type { BandStatistics, PixelBlock } from '../types.ts'
import { comparableNodata, sampleTypeOf } from '../sample-types.ts'
import { addSamples, finishStatistics, startStatistics } from './running-statistics.ts'

/**
 * Statistics of every band of a block over its valid pixels; percentiles as numpy's default (linear) gives them, exact
 * for integers up to 16 bits and for up to a million values of wider types.
 *
 * @param nodata a value to leave out band by band, besides the mask.
 */
export function bandStatistics(block: PixelBlock, nodata: number | null = null): BandStatistics[] {
  const type = sampleTypeOf(block.data)
  const count = block.width * block.height
  const missing = comparableNodata(nodata, type)
  return Array.from({ length: block.bands }, (_, band) => {
    const state = startStatistics(type)
    addSamples(state, block.data, band * count, count, block.mask, missing)
    return finishStatistics(state)
  })
}
