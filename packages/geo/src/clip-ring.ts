import type { FlatCoordinates, Trapezoid } from './area.ts'

/**
 * The part of a ring inside a trapezoid (Sutherland-Hodgman). Disjoint parts stay connected along the sides of the
 * trapezoid in both directions, which adds no area. The cost is linear in the number of edges.
 */
export function clipRing(ring: FlatCoordinates, { south, north, west, east }: Trapezoid): FlatCoordinates {
  const height = north - south
  const above = clipHalfPlane(ring, (_, y) => y - south)
  const between = clipHalfPlane(above, (_, y) => north - y)
  const right = clipHalfPlane(between, (x, y) => (x - west[0]) * height - (west[1] - west[0]) * (y - south))
  return clipHalfPlane(right, (x, y) => (east[1] - east[0]) * (y - south) - (x - east[0]) * height)
}

/** The part of a ring where the signed distance is zero or positive. */
function clipHalfPlane(ring: FlatCoordinates, distance: (x: number, y: number) => number): FlatCoordinates {
  const clipped: number[] = []
  if (ring.length === 0) return clipped
  let [x0, y0] = [ring.at(-2)!, ring.at(-1)!]
  let from = distance(x0, y0)
  for (let at = 0; at < ring.length; at += 2) {
    const [x1, y1] = [ring[at]!, ring[at + 1]!]
    const to = distance(x1, y1)
    // Not the sign of the product, which is 0 for numbers that are small enough.
    if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
      const part = from / (from - to)
      clipped.push(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
    }
    if (to >= 0) clipped.push(x1, y1)
    x0 = x1
    y0 = y1
    from = to
  }
  return clipped
}
