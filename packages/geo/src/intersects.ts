import { boundsOf, polygonOfBounds, spansOf } from './bbox.ts'
import { polygonsOf } from './geojson.ts'
import type { AreaGeometry, Position, Ring } from './geojson.ts'
import { isInside } from './inside.ts'
import type { Bounds } from './tile-grid.ts'

/** True if two boxes share at least one point. */
export function boxesMeet(a: Bounds, b: Bounds): boolean {
  if (a[1] > b[3] || b[1] > a[3]) return false
  return spansOf(a).some(([w1, e1]) => spansOf(b).some(([w2, e2]) => w1 <= e2 && w2 <= e1))
}

/** True if a geometry and a box share at least one point. */
export function meetsBox(geometry: AreaGeometry, box: Bounds): boolean {
  return geometriesMeet(geometry, polygonOfBounds(box))
}

/** True if two geometries share at least one point; edges are straight in degrees. */
export function geometriesMeet(a: AreaGeometry, b: AreaGeometry): boolean {
  if (!boxesMeet(boundsOf(a), boundsOf(b))) return false
  if (edgesMeet(a, b)) return true
  // No edges intersect: one contains the other, or they are disjoint. One position of every part decides.
  return (
    polygonsOf(a).some(([outer]) => isInside(outer![0]![0], outer![0]![1], b)) ||
    polygonsOf(b).some(([outer]) => isInside(outer![0]![0], outer![0]![1], a))
  )
}

function edgesMeet(a: AreaGeometry, b: AreaGeometry): boolean {
  const others = polygonsOf(b).flat()
  return polygonsOf(a)
    .flat()
    .some((ring) => others.some((other) => ringsMeet(ring, other)))
}

function ringsMeet(a: Ring, b: Ring): boolean {
  for (let i = 0; i + 1 < a.length; i++) {
    for (let j = 0; j + 1 < b.length; j++) if (segmentsMeet(a[i]!, a[i + 1]!, b[j]!, b[j + 1]!)) return true
  }
  return false
}

/** True if two straight segments share at least one point. */
export function segmentsMeet(a: Position, b: Position, c: Position, d: Position): boolean {
  if (Math.max(a[0], b[0]) < Math.min(c[0], d[0]) || Math.max(c[0], d[0]) < Math.min(a[0], b[0])) return false
  if (Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])) return false
  return sideOf(a, b, c) * sideOf(a, b, d) <= 0 && sideOf(c, d, a) * sideOf(c, d, b) <= 0
}

function sideOf(a: Position, b: Position, c: Position): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
}
