import type { AreaGeometry } from './geojson.ts'
import { isInsideRing } from './inside-ring.ts'

/** True if a position is inside a geometry or on its boundary, and not inside a hole. */
export function isInside(x: number, y: number, geometry: AreaGeometry): boolean {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.some(([outer, ...holes]) => {
    if (!outer || isInsideRing(x, y, outer) === 'outside') return false
    return !holes.some((hole) => isInsideRing(x, y, hole) === 'inside')
  })
}
