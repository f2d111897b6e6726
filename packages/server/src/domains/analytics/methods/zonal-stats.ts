import { validationProblem } from '../../../engine/problem.ts'
import { requireItem } from '../../items/access.ts'
import { validateArea } from '../../rendering/aoi.ts'
import { listValueNames } from '../../rendering/measure-target.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'
import { openMeasuredValue } from '../measured-value.ts'
import { found, type RunMethod } from '../method.ts'
import { measureZones, toZoneValues } from '../zone-statistics.ts'

export const computeZonalStats: RunMethod<'zonal_stats'> = async (call, params) => {
  const { geometry, zones, weighted, percentiles, bins, categories } = params
  if (Boolean(geometry) === Boolean(zones))
    throw validationProblem([{ path: 'geometry', message: 'give either geometry or zones' }])
  const areas = zones
    ? zones.map((zone, at) => validateArea(zone.geometry, `zones.${at}.geometry`))
    : [validateArea(geometry, 'geometry')]
  const item = await requireItem(call, params.item_id, 'read')
  const value = await openMeasuredValue(call, item, params)
  requireFewBins(areas.length * listValueNames(value.target, value.bands).length, bins)
  const measured = await measureZones(value, areas, {
    weighted,
    percentiles,
    histogram: bins > 0 ? { bins, ...toRange(params.range) } : null,
    categories,
    jobs: rasterJobsOf(call),
    signal: call.signal,
  })
  if (!zones && measured[0] === null)
    throw validationProblem([{ path: 'geometry', message: 'the area does not reach the image' }])
  const rows = measured.map((one, at) => ({ id: zones?.[at]!.id ?? null, ...toZoneValues(one, value, percentiles) }))
  return found({ item_id: item.id, weighted, zones: rows }, [item.id])
}

const max_bins = 1_000_000

/** Throws `validation` of `bins` if the histograms of an answer have more than a million bins together. */
function requireFewBins(histograms: number, bins: number): void {
  if (histograms * bins <= max_bins) return
  const message = `${histograms} histograms may have ${Math.floor(max_bins / histograms)} bins each; give fewer zones or bands`
  throw validationProblem([{ path: 'bins', message }])
}

/** The range of a histogram, if one was given. Throws `validation` of `range` unless it runs upwards. */
export function toRange(range: readonly number[] | null | undefined): { range?: readonly [number, number] } {
  if (!range) return {}
  const [low, high] = range as [number, number]
  if (low > high) throw validationProblem([{ path: 'range', message: 'must run from a smaller to a greater number' }])
  return { range: [low, high] }
}
