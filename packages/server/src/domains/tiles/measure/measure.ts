import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { HistogramOptions, RasterStatistics, Raster } from '@swath/raster'
import { Problem } from '../../../engine/problem.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import type { MeasureTarget } from './measure-target.ts'
import { withTimeout } from '../within-time.ts'
import type { OrganizationRasterJobRunner } from '../raster-pool.ts'

const { decoded_bytes: max_decoded_bytes, ms: timeout_ms } = rasterReadLimits.measurement
/** The time limit of the overview if the full resolution takes too long. */
const overview_timeout_ms = 10_000
/** The minimum number of pixels of an overview that is measured. */
export const min_measured_overview_pixels = 1_000_000

export interface RasterMeasureOptions {
  readonly raster: Raster
  readonly target: MeasureTarget
  /** Null for the whole raster. */
  readonly area: AreaGeometry | null
  readonly percentiles: readonly number[]
  readonly histogram: HistogramOptions
  /** Applies scale and offset of the bands; default false. */
  readonly scaled?: boolean
  /** Uses the coarsest level with at least this many pixels; without it the full resolution if possible. */
  readonly approximate_pixels?: number
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

/**
 * Measures a raster, exactly if possible: if it would decode more than 1 GiB or takes more than twenty seconds, an overview
 * is measured and the result is marked as approximate. Throws `budget-exceeded` without a small enough overview or after
 * thirty seconds in total, and `validation` of `geometry` for an area outside the raster.
 */
export async function measureRaster(options: RasterMeasureOptions): Promise<RasterStatistics> {
  try {
    return await measureWithTimeout(timeout_ms, options)
  } catch (error) {
    const isTooMuch = error instanceof Problem && error.problem === 'budget-exceeded'
    const isSmaller = options.raster.levels.length > 1 && options.approximate_pixels === undefined
    if (!isTooMuch || !isSmaller) throw error
    return measureWithTimeout(overview_timeout_ms, { ...options, approximate_pixels: min_measured_overview_pixels })
  }
}

function measureWithTimeout(max_duration_ms: number, options: RasterMeasureOptions): Promise<RasterStatistics> {
  const { raster, target, area, percentiles, histogram, scaled, approximate_pixels, jobs, signal } = options
  const { bands, formula } = target
  const source = formula ? { expression: formula.expression, names: formula.names } : { bands }
  const request = { ...source, percentiles, histogram, scaled, approximate_pixels, max_decoded_bytes }
  return withTimeout(jobs, { workName: 'measurement', timeout_ms: max_duration_ms, signal }, (limitedSignal) =>
    area
      ? jobs.run('zonal', [raster], { ...request, area }, { signal: limitedSignal })
      : jobs.run('statistics', [raster], request, { signal: limitedSignal }),
  )
}
