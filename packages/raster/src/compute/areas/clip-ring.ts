/** A closed line as x, y, x, y …; the last position joins the first without being repeated. */
export type FlatRing = ArrayLike<number>

/** A box of degrees. */
export interface LonLatBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** The box of degrees that a ring fills. */
export function computeRingExtent(ring: FlatRing): LonLatBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < ring.length; at += 2) {
    west = Math.min(west, ring[at]!)
    east = Math.max(east, ring[at]!)
    south = Math.min(south, ring[at + 1]!)
    north = Math.max(north, ring[at + 1]!)
  }
  return { west, south, east, north }
}

/**
 * The part of a ring inside a box (Sutherland and Hodgman). A bay that reaches over the border leaves its parts joined along
 * it by lines that run back over each other: no area, and nothing to the even-odd rule.
 */
export function clipRingToBox(ring: FlatRing, { west, south, east, north }: LonLatBox): FlatRing {
  return cutAt(cutAt(cutAt(cutAt(ring, 0, west, 1), 0, east, -1), 1, south, 1), 1, north, -1)
}

// Keeps what lies on one side (+1 above, -1 below) of a limit of one axis.
function cutAt(ring: FlatRing, axis: 0 | 1, limit: number, side: 1 | -1): FlatRing {
  if (ring.length === 0) return ring
  const kept: number[] = []
  let [x, y] = [ring[ring.length - 2]!, ring[ring.length - 1]!]
  let inside = ((axis === 0 ? x : y) - limit) * side
  for (let at = 0; at < ring.length; at += 2) {
    const nextX = ring[at]!
    const nextY = ring[at + 1]!
    const nextInside = ((axis === 0 ? nextX : nextY) - limit) * side
    if ((inside < 0 && nextInside > 0) || (inside > 0 && nextInside < 0)) {
      const part = inside / (inside - nextInside)
      kept.push(axis === 0 ? limit : x + (nextX - x) * part, axis === 1 ? limit : y + (nextY - y) * part)
    }
    if (nextInside >= 0) kept.push(nextX, nextY)
    ;[x, y, inside] = [nextX, nextY, nextInside]
  }
  return kept
}
