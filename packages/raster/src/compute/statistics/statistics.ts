import { nodataRange, SAMPLE_TYPES, sampleTypeOf } from '../../sample-types.ts'
import type { BandStatistics, PixelBlock } from '../../types.ts'
import { createMeter } from './create-accumulator.ts'
import type { BandMeter, BandNumbers, Piece } from './accumulator.ts'
import type { ValueRules } from './value-chunk.ts'

const WISH = { percentiles: [2, 98], histogram: null, classes: false, weighted: false, counters: 2 ** 20 }

/**
 * Statistics of every band of a block over its valid pixels that hold finite numbers; exact, percentiles as numpy's default
 * (linear) gives them.
 *
 * @param nodata a value to leave out band by band, besides the mask.
 */
export function computeBandStatistics(block: PixelBlock, nodata: number | null = null): BandStatistics[] {
  const type = sampleTypeOf(block.data)
  const size = block.width * block.height
  const rules: ValueRules = { masked: true, nodata: nodataRange(nodata, type), scale: 1, offset: 0 }
  return Array.from({ length: block.bands }, (_, band) => {
    const data = block.data.subarray(band * size, (band + 1) * size)
    const mask = SAMPLE_TYPES[type].format === 3 ? maskInfinite(data, block.mask) : block.mask
    const piece = { data, stride: 1, mask, runs: Int32Array.of(0, size), weights: null }
    return statisticsOf(measurePiece(piece, createMeter(type, rules, { ...WISH, most_kept: size })), size)
  })
}

function measurePiece(piece: Piece, meter: BandMeter): BandNumbers {
  do meter.add(piece)
  while (meter.endPass())
  return meter.finish()
}

function statisticsOf(
  { count, minimum, maximum, mean, stddev, percentiles }: BandNumbers,
  size: number,
): BandStatistics {
  const [p2, p98] = count > 0 ? percentiles : []
  const valid_percent = size > 0 ? (100 * count) / size : 0
  return { minimum, maximum, mean, stddev, valid_percent, p2: p2 ?? null, p98: p98 ?? null }
}

function maskInfinite(data: PixelBlock['data'], mask: Uint8Array): Uint8Array {
  const kept = mask.slice()
  for (let at = 0; at < kept.length; at++) if (!Number.isFinite(data[at])) kept[at] = 0
  return kept
}
