import type { AreaGeometry } from './geojson.ts'
import { locatePointInRing } from './point-in-ring.ts'

/** True if a position is inside a geometry or on its boundary, and not inside a hole. */
export function isPointInGeometry(x: number, y: number, geometry: AreaGeometry): boolean {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.some(([outer, ...holes]) => {
    if (!outer || locatePointInRing(x, y, outer) === 'outside') return false
    return !holes.some((hole) => locatePointInRing(x, y, hole) === 'inside')
  })
}
