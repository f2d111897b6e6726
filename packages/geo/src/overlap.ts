import type { AreaGeometry } from './geojson.ts'
import { trapezoidArea } from './polygon-clip.ts'
import { cutIntoTrapezoids } from './slabs.ts'

/**
 * Square kilometres that all the areas cover together, on the WGS84 ellipsoid. Edges are straight in longitude and
 * latitude, as GeoJSON (RFC 7946) defines them; `overlapArea` (polygon-clip.ts) is the same with geodesics.
 */
export function commonAreaKm2(areas: readonly AreaGeometry[]): number {
  let sum = 0
  for (const piece of cutIntoTrapezoids(areas, (present) => present.every(Boolean))) sum += trapezoidArea(piece)
  return sum
}
