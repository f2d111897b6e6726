import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { mapBetweenEvents } from '../../../platform/event-loop.ts'
import { requireItem } from '../../items/access.ts'
import { createGeometryBudget } from '../../items/geometry.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { listMeasuredValueNames } from '../../tiles/measure/measure-target.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { openMeasuredRaster } from '../measured-value.ts'
import { createOutcomeWithoutRaster, type RunAnalyticsMethod } from '../method.ts'
import { createAreaOutsideProblem, measureZoneStatistics, toZoneValues } from '../zone-statistics.ts'

export const computeZonalStats: RunAnalyticsMethod<'zonal_stats'> = async (call, params) => {
  const { zones, weighted, percentiles, bins, categories } = params
  // First, so that the thread is free between the parsing of the zones and their validation.
  const item = await requireItem(call, params.item_id, 'read')
  const areas = await requireZoneAreas(params)
  const value = await openMeasuredRaster(call, item, params)
  requireFewStatistics(areas.length * listMeasuredValueNames(value.target, value.bands).length, { bins, percentiles })
  const measured = await measureZoneStatistics(value, areas, {
    weighted,
    percentiles,
    histogram: bins > 0 ? { bins, ...toHistogramRange(params.range) } : null,
    categories,
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  })
  if (!zones && measured[0] === null) throw createAreaOutsideProblem()
  const rows = measured.map((one, at) => ({ id: zones?.[at]!.id ?? null, ...toZoneValues(one, value, percentiles) }))
  return createOutcomeWithoutRaster({ item_id: item.id, weighted, zones: rows }, [item.id])
}

/** The areas to measure, which share the budget of their validation. Throws `validation`. */
export async function requireZoneAreas({
  geometry,
  zones,
}: {
  readonly geometry?: unknown
  readonly zones?: readonly { readonly geometry: unknown }[] | null | undefined
}): Promise<AreaGeometry[]> {
  if (Boolean(geometry) === Boolean(zones))
    throw validationProblem([{ path: 'geometry', message: 'give either geometry or zones' }])
  const budget = createGeometryBudget()
  return zones
    ? mapBetweenEvents(zones, budget, (zone, at) => validateArea(zone.geometry, `zones.${at}.geometry`, budget))
    : [validateArea(geometry, 'geometry')]
}

/** Maximum number of pairs of a band and a zone. */
const max_statistics = 50_000
/** Numbers of the histograms and percentiles of an answer: a million of them took the main thread 0.7 s to serialize. */
const max_numbers = 400_000
/** A bin is answered as a count and an edge. */
const numbers_per_bin = 2

/**
 * Throws `validation` of `zones` for more than 50,000 statistics, or of `bins` or `percentiles`, whichever are more, if an answer
 * has more than 400,000 numbers of them together.
 */
export function requireFewStatistics(
  statistics: number,
  { bins, percentiles }: { readonly bins: number; readonly percentiles: readonly number[] },
): void {
  if (statistics > max_statistics) {
    const message = `give ${statistics} statistics of bands, and may give ${max_statistics}; give fewer zones or bands`
    throw validationProblem([{ path: 'zones', message }])
  }
  const numbers = { bins: bins * numbers_per_bin, percentiles: percentiles.length }
  if (statistics * (numbers.bins + numbers.percentiles) <= max_numbers) return
  const isBins = numbers.bins >= numbers.percentiles
  const left = Math.floor(max_numbers / statistics) - (isBins ? numbers.percentiles : numbers.bins)
  const most = isBins ? Math.floor(left / numbers_per_bin) : left
  const message =
    most > 0
      ? `may be at most ${most} for ${statistics} statistics; give fewer zones or bands for more`
      : `are too many for ${statistics} statistics; give fewer zones or bands`
  throw validationProblem([{ path: isBins ? 'bins' : 'percentiles', message }])
}

/** The range of a histogram, if one was passed. Throws `validation` of `range` unless it runs upwards. */
export function toHistogramRange(range: readonly number[] | null | undefined): { range?: readonly [number, number] } {
  if (!range) return {}
  const [low, high] = range as [number, number]
  if (low > high) throw validationProblem([{ path: 'range', message: 'must run from a smaller to a greater number' }])
  if (!Number.isFinite(high - low)) throw validationProblem([{ path: 'range', message: 'must be narrower' }])
  return { range: [low, high] }
}
