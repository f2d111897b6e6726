import type { ZoneStatistics } from '@swath/contract/analytics-methods.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import {
  toOutlineRings,
  type HistogramOptions,
  type MeasuredBandStatistics,
  type RasterStatistics,
} from '@swath/raster'
import { validationProblem, type Problem } from '../../engine/problem.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import { listMeasuredValueNames } from '../tiles/measure/measure-target.ts'
import type { OrganizationRasterJobRunner } from '../tiles/raster-pool.ts'
import { withTimeout } from '../tiles/within-time.ts'
import type { MeasuredItemValue } from './measured-value.ts'

export interface ZoneStatisticsOptions {
  readonly weighted: boolean
  readonly percentiles: readonly number[]
  readonly histogram: HistogramOptions | null
  readonly categories: boolean
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

const { decoded_bytes: max_decoded_bytes, ms: timeout_ms } = rasterReadLimits.measurement

/**
 * Measures areas of a raster, in their order; null for one that does not reach it. An area that would decode more than
 * 1 GiB is measured on an overview. Throws `budget-exceeded` after twenty seconds, or without a small enough overview.
 */
export function measureZoneStatistics(
  { raster, target, scaled }: MeasuredItemValue,
  areas: readonly AreaGeometry[],
  options: ZoneStatisticsOptions,
): Promise<(RasterStatistics | null)[]> {
  const { weighted, percentiles, histogram, categories, jobs, signal } = options
  const { bands, formula } = target
  const measured = formula ? { expression: formula.expression, names: formula.names } : { bands }
  const request = {
    ...measured,
    areas: areas.map(toOutlineRings),
    scaled,
    coverage: weighted,
    // The median is always answered.
    percentiles: [...percentiles, 50],
    ...(histogram ? { histogram } : {}),
    classes: categories,
    max_decoded_bytes,
  }
  return withTimeout(jobs, { workName: 'measurement', timeout_ms, signal }, (limitedSignal) =>
    jobs.run('areas', [raster], request, { signal: limitedSignal, fields: { request: 'categories' } }),
  )
}

export const createAreaOutsideProblem = (): Problem =>
  validationProblem([{ path: 'geometry', message: 'lies outside of the image; choose an area that reaches it' }])

/** JSON cannot express numbers that are not finite. */
export const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

const unmeasured: MeasuredBandStatistics = {
  band: null,
  count: 0,
  valid_percent: 0,
  sum: Number.NaN,
  minimum: Number.NaN,
  maximum: Number.NaN,
  mean: Number.NaN,
  stddev: Number.NaN,
  percentiles: [],
  histogram: null,
  classes: null,
}

/** The representation of a measured area; null stands for one outside of the raster. */
export function toZoneValues(
  measured: RasterStatistics | null,
  { target, bands }: MeasuredItemValue,
  percentiles: readonly number[],
): { approximate: boolean; values: ZoneStatistics[] } {
  const values = listMeasuredValueNames(target, bands).map((name, at) => ({
    ...name,
    ...toZoneStatistics(measured?.bands[at] ?? unmeasured, percentiles),
  }))
  return { approximate: measured?.approximate ?? false, values }
}

function toZoneStatistics(
  measured: MeasuredBandStatistics,
  percentiles: readonly number[],
): Omit<ZoneStatistics, 'name' | 'band_name'> {
  const { histogram, classes, percentiles: found } = measured
  const named = percentiles.flatMap((percentile, at) =>
    Number.isFinite(found[at]) ? [[String(percentile), found[at]!] as const] : [],
  )
  return {
    count: measured.count,
    valid_percent: measured.valid_percent,
    sum: finiteOrNull(measured.sum),
    mean: finiteOrNull(measured.mean),
    min: finiteOrNull(measured.minimum),
    max: finiteOrNull(measured.maximum),
    std: finiteOrNull(measured.stddev),
    median: finiteOrNull(found[percentiles.length]),
    percentiles: Object.fromEntries(named),
    histogram: histogram && { counts: [...histogram.counts], edges: [...histogram.edges] },
    categories: classes && classes.filter(({ value }) => Number.isFinite(value)).map((one) => ({ ...one })),
  }
}
