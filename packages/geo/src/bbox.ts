import { coordinateExtent } from './coordinate-extent.ts'
import { listPolygonRings } from './geojson.ts'
import type { AreaGeometry } from './geojson.ts'
import type { Bounds } from './tile-grid.ts'

/** True for four finite numbers that are valid WGS 84 bounds; west > east crosses the 180° meridian. */
export function isValidBounds(value: readonly number[]): value is Bounds {
  const [west, south, east, north] = value
  return (
    value.length === 4 &&
    value.every(Number.isFinite) &&
    Math.abs(west!) <= 180 &&
    Math.abs(east!) <= 180 &&
    south! >= -90 &&
    north! <= 90 &&
    south! <= north!
  )
}

/** Width in degrees, also of a box across the 180° meridian. */
export function computeLongitudeWidth([west, , east]: Bounds): number {
  return east >= west ? east - west : east - west + 360
}

/** The bounds of a geometry; parts that touch the 180° meridian on both sides make a box across it. */
export function geometryBounds(geometry: AreaGeometry): Bounds {
  return listPolygonRings(geometry)
    .map(([outer = []]): Bounds => coordinateExtent(outer))
    .reduce(unionBounds)
}

/** The smallest box that contains two boxes; it may cross the 180° meridian. */
export function unionBounds(a: Bounds, b: Bounds): Bounds {
  const south = Math.min(a[1], b[1])
  const north = Math.max(a[3], b[3])
  const candidates: [west: number, east: number][] = [
    [a[0], b[2]],
    [b[0], a[2]],
    [a[0], a[2]],
    [b[0], b[2]],
  ]
  const containing = candidates
    .map(([west, east]): Bounds => [west, south, east, north])
    .filter((box) => containsLongitudes(box, a) && containsLongitudes(box, b))
    .sort((p, q) => computeLongitudeWidth(p) - computeLongitudeWidth(q))
  return containing[0] ?? [-180, south, 180, north]
}

/** The intersection of two boxes, or null. If it has two parts, the wider one. */
export function intersectBounds(a: Bounds, b: Bounds): Bounds | null {
  const south = Math.max(a[1], b[1])
  const north = Math.min(a[3], b[3])
  if (south > north) return null
  const spans = splitLongitudeRanges(a)
    .flatMap(([w1, e1]) =>
      splitLongitudeRanges(b).map(([w2, e2]): [number, number] => [Math.max(w1, w2), Math.min(e1, e2)]),
    )
    .filter(([west, east]) => west <= east)
    .sort((p, q) => q[1] - q[0] - (p[1] - p[0]))
  if (spans.length === 0) return null
  // Of two boxes across the meridian, the common parts on both sides of it are one box.
  const left = spans.find(([, east]) => east === 180)
  const right = spans.find(([west]) => west === -180)
  if (left && right && a[0] > a[2] && b[0] > b[2]) return [left[0], south, right[1], north]
  return [spans[0]![0], south, spans[0]![1], north]
}

/** A box as a polygon, in two parts if it crosses the 180° meridian. */
export function boundsToPolygon(bounds: Bounds): AreaGeometry {
  const [, south, , north] = bounds
  const parts = splitLongitudeRanges(bounds).map(([west, east]) => [boundsToRing([west, south, east, north])])
  return parts.length === 1 ? { type: 'Polygon', coordinates: parts[0]! } : { type: 'MultiPolygon', coordinates: parts }
}

/** The corners of a box as a counterclockwise ring from the south-west, not cut at the 180° meridian. */
export const boundsToRing = ([west, south, east, north]: Bounds): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

/** The longitudes of a box as one range, or as two if it crosses the 180° meridian. */
export function splitLongitudeRanges([west, , east]: Bounds): [west: number, east: number][] {
  return west <= east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ]
}

function containsLongitudes(box: Bounds, part: Bounds): boolean {
  const start = (((part[0] - box[0]) % 360) + 360) % 360
  return start + computeLongitudeWidth(part) <= computeLongitudeWidth(box) + 1e-12
}
