import { RasterFailure } from '../../failures.ts'
import type { PixelBlock } from '../../types.ts'
import { checkRescaleRanges, rescaleSamples } from './stretch.ts'
import type { RescaleRange, ToneOptions } from './stretch.ts'

/**
 * Stretches the samples of a block to bytes, see `rescaleSamples`. The mask stays as it is.
 *
 * @param ranges one for all bands or one for each; high below low turns the scale around.
 * @throws RasterFailure `request` when the ranges do not fit.
 */
export function rescaleBlock(block: PixelBlock, ranges: readonly RescaleRange[], tone: ToneOptions = {}): PixelBlock {
  checkRescaleRanges(ranges, block.bands, tone)
  const count = block.width * block.height
  const data = new Uint8Array(count * block.bands)
  for (let band = 0; band < block.bands; band++) {
    const samples = block.data.subarray(band * count, (band + 1) * count)
    rescaleSamples(data, band * count, 1, samples, ranges[band] ?? ranges[0]!, tone)
  }
  return { ...block, data }
}

/**
 * Reads stretches from text: `0,3000` for all bands or one pair a band as in `0,3000;0,2500;0,2000`.
 *
 * @throws RasterFailure `request` for anything else.
 */
export function parseRescale(text: string): RescaleRange[] {
  const pairs = text.split(';')
  if (pairs.length > 64) throw new RasterFailure('request', 'there are more than 64 stretches')
  return pairs.map((pair) => {
    const numbers = pair.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
    const [low, high] = numbers
    if (numbers.length !== 2 || !Number.isFinite(low) || !Number.isFinite(high) || low === high)
      throw new RasterFailure(
        'request',
        `“${pair.slice(0, 40)}” is no stretch; write two different numbers as in 0,3000`,
      )
    return [low!, high!]
  })
}
