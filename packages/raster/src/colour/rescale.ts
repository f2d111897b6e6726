import { RasterFailure } from '../failures.ts'
import { sampleTypeOf } from '../sample-types.ts'
import type { PixelBlock, SampleType } from '../types.ts'

/** The values that become 0 and 255. */
export type StretchRange = readonly [low: number, high: number]

const TABLE_TYPES: Partial<Record<SampleType, readonly [start: number, length: number]>> = {
  uint8: [0, 256],
  int8: [-128, 256],
  uint16: [0, 65_536],
  int16: [-32_768, 65_536],
}

/**
 * Stretches samples to bytes: linear between low and high, clamped outside, fractions cut off (not rounded), as tile
 * servers of the rio-tiler family do. With a gamma other than 1 the share between low and high is raised to 1/gamma.
 * NaN becomes 0. The mask is kept.
 *
 * @param ranges one for all bands or one for each; high below low turns the scale around.
 * @throws RasterFailure `request` when the ranges do not fit.
 */
export function rescaleBlock(block: PixelBlock, ranges: readonly StretchRange[], gamma = 1): PixelBlock {
  checkStretch(ranges, block.bands, gamma)
  const count = block.width * block.height
  const data = new Uint8Array(count * block.bands)
  const table = TABLE_TYPES[sampleTypeOf(block.data)]
  for (let band = 0; band < block.bands; band++) {
    const stretch = stretchOf(ranges.length === 1 ? ranges[0]! : ranges[band]!, gamma)
    const end = (band + 1) * count
    if (table && count > 4096) {
      const [start, length] = table
      const lookup = new Uint8Array(length)
      for (let i = 0; i < length; i++) lookup[i] = stretch(start + i)
      for (let i = band * count; i < end; i++) data[i] = lookup[block.data[i]! - start]!
    } else for (let i = band * count; i < end; i++) data[i] = stretch(block.data[i]!)
  }
  return { ...block, data }
}

function checkStretch(ranges: readonly StretchRange[], bands: number, gamma: number): void {
  if (ranges.length !== 1 && ranges.length !== bands)
    throw new RasterFailure('request', `there are ${ranges.length} stretches for ${bands} bands`)
  for (const [low, high] of ranges)
    if (!Number.isFinite(low) || !Number.isFinite(high) || low === high)
      throw new RasterFailure('request', 'a stretch needs two different numbers')
  if (!(gamma > 0 && gamma <= 20)) throw new RasterFailure('request', 'gamma is a number above 0, at most 20')
}

function stretchOf([low, high]: StretchRange, gamma: number): (value: number) => number {
  const [least, most] = low < high ? [low, high] : [high, low]
  const span = high - low
  const exponent = 1 / gamma
  return (value) => {
    if (value !== value) return 0
    const above = Math.min(Math.max(value, least), most) - low
    // Multiplying first keeps whole results whole, so that 0,255 leaves bytes as they are.
    return Math.trunc(gamma === 1 ? (above * 255) / span : (above / span) ** exponent * 255)
  }
}

/**
 * Reads stretches from text: `0,3000` for all bands or one pair a band as in `0,3000;0,2500;0,2000`.
 *
 * @throws RasterFailure `request` for anything else.
 */
export function parseRescale(text: string): StretchRange[] {
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
