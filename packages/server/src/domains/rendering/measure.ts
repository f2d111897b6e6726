import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { HistogramRequest, Measures, Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import { Problem } from '../../engine/problem.ts'
import { readLimits } from '../items/read-limits.ts'
import { develop } from './darkroom.ts'
import type { Subject } from './subject.ts'
import { withinTime } from './within-time.ts'

const { decoded_bytes: limit_decoded, ms: limit_ms } = readLimits.measurement
/** The time limit of the overview if the full resolution takes too long. */
const limit_again_ms = 10_000
/** The minimum number of pixels of an overview that is measured. */
export const enough_pixels = 1_000_000

export interface MeasureSpec {
  readonly raster: Raster
  readonly subject: Subject
  /** Null for the whole raster. */
  readonly area: AreaGeometry | null
  readonly percentiles: readonly number[]
  readonly histogram: HistogramRequest
  /** Uses the coarsest level with at least this many pixels; without it the full resolution if possible. */
  readonly approximate_pixels?: number
  readonly owner: WorkOwner
  readonly signal: AbortSignal
}

/**
 * Measures a raster, exactly if possible: if it would decode more than 1 GiB or takes more than twenty seconds, an overview
 * is measured and the result is marked as approximate. Throws `budget-exceeded` without a small enough overview or after
 * thirty seconds in total, and `validation` of `geometry` for an area outside the raster.
 */
export async function measureRaster(spec: MeasureSpec): Promise<Measures> {
  try {
    return await measureWithin(limit_ms, spec)
  } catch (error) {
    const isTooMuch = error instanceof Problem && error.problem === 'budget-exceeded'
    const isSmaller = spec.raster.levels.length > 1 && spec.approximate_pixels === undefined
    if (!isTooMuch || !isSmaller) throw error
    return measureWithin(limit_again_ms, { ...spec, approximate_pixels: enough_pixels })
  }
}

function measureWithin(limit: number, spec: MeasureSpec): Promise<Measures> {
  const { raster, subject, area, percentiles, histogram, approximate_pixels, owner, signal } = spec
  const { bands, formula } = subject
  const what = formula ? { expression: formula.expression, names: formula.names } : { bands }
  const request = { ...what, percentiles, histogram, approximate_pixels, most_decoded_bytes: limit_decoded }
  return withinTime('measurement', limit, signal, (limited) =>
    area
      ? develop(owner, 'zonal', [raster], { ...request, area }, limited)
      : develop(owner, 'statistics', [raster], request, limited),
  )
}
