import type { Rings } from './area-shapefile.ts'

type Position = readonly number[]

/** The least positions of a closed ring. */
const min_positions = 4
const growth = 1.5
/** Of the extent: where the search for a tolerance begins. */
const first_share = 1e-5

export const countPositions = (polygons: readonly Rings[]): number =>
  polygons.reduce((sum, rings) => sum + rings.reduce((count, ring) => count + ring.length, 0), 0)

/** The polygons with at most so many positions: those that matter least are left out, and parts that vanish. */
export function simplifyPolygons(polygons: readonly Rings[], max_positions: number): readonly Rings[] {
  if (countPositions(polygons) <= max_positions) return polygons
  let tolerance = measureExtent(polygons) * first_share
  let simplified = polygons
  // An extent that is not a number ends at once; the caller finds the reason.
  while (Number.isFinite(tolerance) && tolerance > 0 && countPositions(simplified) > max_positions) {
    const limit = tolerance
    simplified = polygons
      .map((rings) => rings.map((ring) => simplifyRing(ring, limit)).filter((ring, at) => at === 0 || isRing(ring)))
      .filter(([outer]) => outer && isRing(outer))
    tolerance *= growth
  }
  return simplified
}

const isRing = (ring: readonly unknown[]): boolean => ring.length >= min_positions

function measureExtent(polygons: readonly Rings[]): number {
  const extents = [0, 1].map((axis) => {
    let [low, high] = [Infinity, -Infinity]
    for (const ring of polygons.flat())
      for (const position of ring) {
        low = Math.min(low, position[axis]!)
        high = Math.max(high, position[axis]!)
      }
    return high - low
  })
  return Math.max(...extents)
}

/** Douglas and Peucker, on a ring that is thinned first so that the cost of long ones stays bounded. */
function simplifyRing(ring: number[][], tolerance: number): number[][] {
  const thin = thinRing(ring, tolerance / 2)
  if (thin.length <= min_positions) return thin
  const first = thin[0]!
  const far = indexOfMostDistant(thin, 1, thin.length - 1, (position) => distance(position, first))
  const isKept = new Uint8Array(thin.length)
  for (const at of [0, far, thin.length - 1]) isKept[at] = 1
  const open: [from: number, to: number][] = [
    [0, far],
    [far, thin.length - 1],
  ]
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span
    const offset = (position: Position): number => distanceToLine(position, thin[from]!, thin[to]!)
    const at = indexOfMostDistant(thin, from + 1, to, offset)
    if (at === -1 || offset(thin[at]!) <= tolerance) continue
    isKept[at] = 1
    open.push([from, at], [at, to])
  }
  return thin.filter((_, at) => isKept[at] === 1)
}

/** Leaves out positions that are closer than this to the one before; the last one, which closes the ring, stays. */
function thinRing(ring: number[][], nearest: number): number[][] {
  let last: number[] | null = null
  return ring.filter((position, at) => {
    if (last && at < ring.length - 1 && distance(position, last) < nearest) return false
    last = position
    return true
  })
}

function indexOfMostDistant(
  ring: readonly Position[],
  from: number,
  to: number,
  measure: (position: Position) => number,
): number {
  let [best, longest] = [-1, -1]
  for (let at = from; at < to; at++) {
    const length = measure(ring[at]!)
    if (length > longest) [best, longest] = [at, length]
  }
  return best
}

const distance = (a: Position, b: Position): number => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!)

function distanceToLine(position: Position, from: Position, to: Position): number {
  const length = distance(from, to)
  if (length === 0) return distance(position, from)
  const [dx, dy] = [to[0]! - from[0]!, to[1]! - from[1]!]
  return Math.abs(dx * (position[1]! - from[1]!) - dy * (position[0]! - from[0]!)) / length
}
