import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { BandStatistics } from '../../types.ts'
import { countValues } from './counted-statistics.ts'
import type { HalvingRules } from './downsample.ts'
import { measureValues } from './measured-statistics.ts'
import type { Strip } from './strip.ts'

/** Statistics of every band of an image while its strips come in. */
export interface StripStatistics {
  add(strip: Strip): void
  finish(): BandStatistics[]
}

/** Samples looked at before the next band: little enough to stay in the processor's cache. */
const PIECE_SAMPLES = 65_536

/**
 * Begins the statistics of an image. A sample counts unless its pixel is masked, it equals nodata or it is not finite; of an
 * alpha band all count.
 */
export function startStripStatistics(bands: number, rules: HalvingRules): StripStatistics {
  const create = SAMPLE_TYPES[rules.sampleType].bits <= 16 ? countValues : measureValues
  const meters = Array.from({ length: bands }, (_, band) =>
    create(rules.sampleType, band, band === rules.alphaBand ? null : rules.nodata),
  )
  let seen = 0
  return {
    add: (strip) => {
      const pixels = strip.width * strip.rows
      const step = Math.max(1, Math.floor(PIECE_SAMPLES / bands))
      seen += pixels
      for (let from = 0; from < pixels; from += step)
        for (const [band, meter] of meters.entries())
          meter.add(strip, from, Math.min(pixels, from + step), band === rules.alphaBand ? null : strip.mask)
    },
    finish: () => meters.map((meter) => meter.finish(seen)),
  }
}
