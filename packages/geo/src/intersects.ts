import { geometryBounds, boundsToPolygon, splitLongitudeRanges } from './bbox.ts'
import { listPolygonRings } from './geojson.ts'
import type { AreaGeometry, Position, Ring } from './geojson.ts'
import { isPointInGeometry } from './point-in-geometry.ts'
import type { Bounds } from './tile-grid.ts'

/** True if two boxes share at least one point. */
export function boundsIntersect(a: Bounds, b: Bounds): boolean {
  if (a[1] > b[3] || b[1] > a[3]) return false
  return splitLongitudeRanges(a).some(([w1, e1]) => splitLongitudeRanges(b).some(([w2, e2]) => w1 <= e2 && w2 <= e1))
}

/** True if a geometry and a box share at least one point. */
export function intersectsBounds(geometry: AreaGeometry, box: Bounds): boolean {
  return geometriesIntersect(geometry, boundsToPolygon(box))
}

/** True if two geometries share at least one point; edges are straight in degrees. */
export function geometriesIntersect(a: AreaGeometry, b: AreaGeometry): boolean {
  if (!boundsIntersect(geometryBounds(a), geometryBounds(b))) return false
  if (edgesIntersect(a, b)) return true
  // No edges intersect: one contains the other, or they are disjoint. One position of every part decides.
  return (
    listPolygonRings(a).some(([outer]) => isPointInGeometry(outer![0]![0], outer![0]![1], b)) ||
    listPolygonRings(b).some(([outer]) => isPointInGeometry(outer![0]![0], outer![0]![1], a))
  )
}

function edgesIntersect(a: AreaGeometry, b: AreaGeometry): boolean {
  const others = listPolygonRings(b).flat()
  return listPolygonRings(a)
    .flat()
    .some((ring) => others.some((other) => ringsIntersect(ring, other)))
}

function ringsIntersect(a: Ring, b: Ring): boolean {
  for (let i = 0; i + 1 < a.length; i++) {
    for (let j = 0; j + 1 < b.length; j++) if (segmentsIntersect(a[i]!, a[i + 1]!, b[j]!, b[j + 1]!)) return true
  }
  return false
}

/** True if two straight segments share at least one point. */
export function segmentsIntersect(a: Position, b: Position, c: Position, d: Position): boolean {
  if (Math.max(a[0], b[0]) < Math.min(c[0], d[0]) || Math.max(c[0], d[0]) < Math.min(a[0], b[0])) return false
  if (Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])) return false
  return orientation(a, b, c) * orientation(a, b, d) <= 0 && orientation(c, d, a) * orientation(c, d, b) <= 0
}

function orientation(a: Position, b: Position, c: Position): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
}
