import type { MeasuredBandStatistics } from '@swath/raster'
import type { Static } from 'typebox'
import type { BandStatistics } from '@swath/contract/schemas/rendering.ts'

/** The number of histogram bins, as in numpy. */
export const default_histogram_bins = 10

/** The requested percentiles and the median, which is always returned. */
export const addMedianPercentile = (requestedPercentiles: readonly number[]): number[] => [...requestedPercentiles, 50]

/** JSON cannot express values that are not finite. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The representation of the statistics of a band or expression, measured with `addMedianPercentile(percentiles)`. */
export function toBandStatistics(
  measured: MeasuredBandStatistics,
  requestedPercentiles: readonly number[],
): Static<typeof BandStatistics> {
  const values = measured.percentiles
  const finitePercentiles = requestedPercentiles.flatMap((percentile, at) =>
    Number.isFinite(values[at]) ? [[String(percentile), values[at]!] as const] : [],
  )
  const { histogram } = measured
  return {
    min: finiteOrNull(measured.minimum),
    max: finiteOrNull(measured.maximum),
    mean: finiteOrNull(measured.mean),
    std: finiteOrNull(measured.stddev),
    median: finiteOrNull(values[requestedPercentiles.length] ?? NaN),
    count: measured.count,
    valid_percent: measured.valid_percent,
    percentiles: Object.fromEntries(finitePercentiles),
    histogram: measured.count > 0 && histogram ? toHistogram(histogram) : { counts: [], edges: [] },
  }
}

const toHistogram = ({ counts, edges }: NonNullable<MeasuredBandStatistics['histogram']>) => ({
  counts: [...counts],
  edges: [...edges],
})
