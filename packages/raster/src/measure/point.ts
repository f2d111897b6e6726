import type { Raster } from '../types.ts'
import { checkPlaces, checkReached, pixelPlaces, readPlaces } from './read-places.ts'
import type { PlaceRequest, PlaceValues } from './read-places.ts'

/**
 * The values at a place on the earth, one a band; null where the band has none there. Failures: `outside` where the picture
 * does not reach, `no_georeference`, `request`, and those of readWindow.
 */
export async function readPoint(
  raster: Raster,
  longitude: number,
  latitude: number,
  request: PlaceRequest = {},
): Promise<PlaceValues> {
  const level = checkPlaces(raster, request)
  const found = await readPlaces(raster, level, [pixelPlaces(raster, level)(longitude, latitude)], request)
  checkReached(found)
  return found[0]!
}
