import type { BandMeasures } from '@swath/raster'
import type { Static } from 'typebox'
import type { BandStatistics } from '@swath/contract/shapes/rendering.ts'

/** The number of histogram bins, as in numpy. */
export const usual_bins = 10

/** The requested percentiles and the median, which is always returned. */
export const withMedian = (asked: readonly number[]): number[] => [...asked, 50]

/** JSON cannot express values that are not finite. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The representation of the statistics of a band or expression, measured with `addMedian(percentiles)`. */
export function statisticsOf(measured: BandMeasures, asked: readonly number[]): Static<typeof BandStatistics> {
  const values = measured.percentiles
  const known = asked.flatMap((percentile, at) =>
    Number.isFinite(values[at]) ? [[String(percentile), values[at]!] as const] : [],
  )
  const { histogram } = measured
  return {
    min: finite(measured.minimum),
    max: finite(measured.maximum),
    mean: finite(measured.mean),
    std: finite(measured.stddev),
    median: finite(values[asked.length] ?? NaN),
    count: measured.count,
    valid_percent: measured.valid_percent,
    percentiles: Object.fromEntries(known),
    histogram: measured.count > 0 && histogram ? histogramOf(histogram) : { counts: [], edges: [] },
  }
}

const histogramOf = ({ counts, edges }: NonNullable<BandMeasures['histogram']>) => ({
  counts: [...counts],
  edges: [...edges],
})
