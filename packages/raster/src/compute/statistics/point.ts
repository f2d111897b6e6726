import type { Raster } from '../../types.ts'
import { checkPlaces, checkReached, pixelPlaces, readPlaces } from './read-points.ts'
import type { PointReadRequest, PointValues } from './read-points.ts'

/**
 * Reads the values at a position, one per band; null for nodata. Failures: `outside` if the raster does not cover it,
 * `no_georeference`, `request`, and those of readWindow.
 */
export async function readPoint(
  raster: Raster,
  longitude: number,
  latitude: number,
  request: PointReadRequest = {},
): Promise<PointValues> {
  const level = checkPlaces(raster, request)
  const found = await readPlaces(raster, level, [pixelPlaces(raster, level)(longitude, latitude)], request)
  checkReached(found)
  return found[0]!
}
