import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { RasterFailure } from '../failures.ts'
import type { Raster } from '../types.ts'
import type { RasterStatistics } from './measures.ts'
import { computeZonalStatistics } from './zonal-statistics.ts'
import type { ZonalStatisticsRequest } from './zonal-statistics.ts'

export interface AreasRequest extends ZonalStatisticsRequest {
  readonly areas: readonly AreaGeometry[]
}

/**
 * Statistics of each of some areas, in their order; null for an area that does not reach the raster. Neighbouring areas share
 * decoded blocks where the thread has a block cache. Failures: those of computeZonalStatistics, except `outside`.
 */
export async function computeStatisticsOfAreas(
  raster: Raster,
  { areas, ...request }: AreasRequest,
): Promise<(RasterStatistics | null)[]> {
  const measured: (RasterStatistics | null)[] = []
  for (const area of areas) measured.push(await measureArea(raster, area, request))
  return measured
}

async function measureArea(
  raster: Raster,
  area: AreaGeometry,
  request: ZonalStatisticsRequest,
): Promise<RasterStatistics | null> {
  try {
    return await computeZonalStatistics(raster, area, request)
  } catch (error) {
    if (error instanceof RasterFailure && error.kind === 'outside') return null
    throw error
  }
}
