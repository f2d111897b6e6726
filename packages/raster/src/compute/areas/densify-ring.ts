import { isPlace } from '@swath/geo/affine.ts'
import { computeRingExtent } from './clip-ring.ts'
import type { LonLatBox, FlatRing } from './clip-ring.ts'
import { createLocalProjection } from './local-projection.ts'
import type { PlanePoint, CoordinatesToPixels } from './local-projection.ts'

const max_halvings = 16
/** A shorter line bends to one side only, most in its middle. */
const one_bend_pixels = 8
/** Longer pieces are halved whatever they look like. */
const max_degrees = 5
/** Rings with fewer points are projected point by point: to know a projection around a ring takes a dozen places. */
const min_survey_points = 32
/** Over how much more than in the lines that were looked at lines may bend elsewhere. */
const survey_safety = 8

/**
 * A ring in pixels whose lines follow lines that are straight in degrees, within a tolerance in pixels. Places without
 * a position are skipped.
 */
export function densifyRingToPixels(
  ring: FlatRing,
  exactToPixels: CoordinatesToPixels,
  tolerance_px = 0.002,
): FlatRing {
  const points: number[] = []
  if (ring.length === 0) return points
  const extent = computeRingExtent(ring)
  const local = ring.length < 2 * min_survey_points ? null : createLocalProjection(extent, exactToPixels)
  const bend = local ? bendWithin(extent, local) : Infinity
  const toPixels = local ?? exactToPixels
  let from: PlanePoint = [ring[ring.length - 2]!, ring[ring.length - 1]!]
  let start = toPixels(from[0], from[1])
  for (let at = 0; at < ring.length; at += 2) {
    const to: PlanePoint = [ring[at]!, ring[at + 1]!]
    const end = toPixels(to[0], to[1])
    if (!(bend * squaredLength(from, to) <= tolerance_px))
      followLine({ points, toPixels, tolerance_px }, from, to, start, end, 0)
    if (isPlace(end)) points.push(end[0], end[1])
    from = to
    start = end
  }
  return points
}

const squaredLength = ([x0, y0]: PlanePoint, [x1, y1]: PlanePoint): number => (x1 - x0) ** 2 + (y1 - y0) ** 2

/**
 * Maximum deviation of lines in a box, in pixels, over the square of their length in degrees: the curvature of a line depends on its
 * direction, and grows with the square of its length.
 */
function bendWithin({ west, south, east, north }: LonLatBox, toPixels: CoordinatesToPixels): number {
  // A square, so that all directions are looked at equally well.
  const half = Math.max(east - west, north - south) / 2
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
  const middle = toPixels(longitude, latitude)
  let most = 0
  for (const [x, y] of surveyedPlaces) {
    const start = toPixels(longitude - x * half, latitude - y * half)
    const end = toPixels(longitude + x * half, latitude + y * half)
    most = Math.max(most, distanceToLine(middle, start, end) / (4 * half * half * (x * x + y * y)))
  }
  return most * survey_safety
}

/** Directions of the lines through the middle of a box. */
const surveyedPlaces: readonly PlanePoint[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
]

interface Line {
  readonly points: number[]
  readonly toPixels: CoordinatesToPixels
  readonly tolerance_px: number
}

/** Adds the positions between two ends that a line needs to be followed. */
function followLine(
  line: Line,
  from: PlanePoint,
  to: PlanePoint,
  start: PlanePoint,
  end: PlanePoint,
  halvings: number,
): void {
  if (halvings === max_halvings) return
  if (isShort(from, to, max_degrees)) {
    if (isShort(start, end, 1)) return
    const parts = isShort(start, end, one_bend_pixels) ? midpoint : quarterPoints
    const places = parts.map((part) => line.toPixels(...between(from, to, part)))
    if (isFollowed(places, start, end, line.tolerance_px)) return
  }
  const middle = between(from, to, 0.5)
  const place = line.toPixels(...middle)
  followLine(line, from, middle, start, place, halvings + 1)
  if (isPlace(place)) line.points.push(place[0], place[1])
  followLine(line, middle, to, place, end, halvings + 1)
}

const midpoint: readonly number[] = [0.5]
const quarterPoints: readonly number[] = [0.25, 0.5, 0.75]

function between([x0, y0]: PlanePoint, [x1, y1]: PlanePoint, part: number): PlanePoint {
  return [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part]
}

/** True where places on a line are close to the straight line between its ends, or none of them has a position. */
function isFollowed(places: readonly PlanePoint[], start: PlanePoint, end: PlanePoint, tolerance_px: number): boolean {
  if ([start, end, ...places].every(([x]) => !Number.isFinite(x))) return true
  return places.every((place) => distanceToLine(place, start, end) <= tolerance_px)
}

function isShort([x0, y0]: PlanePoint, [x1, y1]: PlanePoint, most: number): boolean {
  return Math.abs(x1 - x0) <= most && Math.abs(y1 - y0) <= most
}

function distanceToLine([x, y]: PlanePoint, [x0, y0]: PlanePoint, [x1, y1]: PlanePoint): number {
  const length = Math.hypot(x1 - x0, y1 - y0)
  return length === 0 ? Math.hypot(x - x0, y - y0) : Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length
}
