import { splitGeometryAtAntimeridian } from '../antimeridian.ts'
import { type AreaGeometry } from '../geojson.ts'
import { validateAreaGeometry } from '../validate-area.ts'
import { earthFixedToGeodetic, intersectEllipsoid, type GeodeticPosition } from './earth-frame.ts'
import { computeSubsatellitePoint, type Satellite } from './satellite.ts'
import { computeFlightAxes } from './view-angles.ts'
import { addScaledVector, radians_per_degree, type Vector3 } from './vector.ts'

export interface GroundTrack {
  readonly type: 'MultiLineString'
  readonly coordinates: readonly (readonly number[])[][]
}

export interface GroundTrackOptions {
  readonly from_ms: number
  readonly to_ms: number
  /** Between two points; default 10 seconds. */
  readonly step_ms?: number
}

type LonLat = readonly [longitude: number, latitude: number]

const default_step_ms = 10_000
const max_points = 5000

/** The subsatellite points, cut at the antimeridian; no lines if the orbit has decayed. */
export function computeGroundTrack(satellite: Satellite, options: GroundTrackOptions): GroundTrack {
  const points = timesOf(options).flatMap((time_ms): LonLat[] => {
    const point = computeSubsatellitePoint(satellite, time_ms)
    return point ? [toLonLat(point)] : []
  })
  const lines = shortLines(unwrap(points)).map(wrapStart)
  const split = lines.length > 0 ? splitGeometryAtAntimeridian({ type: 'MultiLineString', coordinates: lines }) : null
  return { type: 'MultiLineString', coordinates: (split?.coordinates ?? []) as unknown as GroundTrack['coordinates'] }
}

/** A track of many revolutions in lines of less than one, each of which begins where the one before it ends. */
function shortLines(points: readonly LonLat[]): LonLat[][] {
  const lines: LonLat[][] = []
  for (const [at, point] of points.entries()) {
    if (at === 0) continue
    const line = lines.at(-1)
    if (line && Math.abs(point[0] - line[0]![0]) < 180) line.push(point)
    else lines.push([points[at - 1]!, point])
  }
  return lines
}

/** A strip on the ground: the instrument looks across the track, from `roll_deg - half_width_deg` to `roll_deg + half_width_deg`. */
export interface SwathStripOptions extends GroundTrackOptions {
  /** Positive to the right of the track. */
  readonly roll_deg: number
  /** Half of the field of view. */
  readonly half_width_deg: number
}

/**
 * The strip that an instrument sees, cut at the antimeridian; one around a pole is closed along it. Null if the line of
 * sight misses the earth, the orbit has decayed, or the strip overlaps itself, as very wide ones do near the poles.
 */
export function computeSwathStrip(satellite: Satellite, options: SwathStripOptions): AreaGeometry | null {
  const { roll_deg, half_width_deg } = options
  const left: LonLat[] = []
  const right: LonLat[] = []
  for (const time_ms of timesOf(options)) {
    const look = createCrossTrackView(satellite, time_ms)
    const leftPoint = look?.(roll_deg - half_width_deg)
    const rightPoint = look?.(roll_deg + half_width_deg)
    if (!leftPoint || !rightPoint) continue
    left.push(leftPoint)
    right.push(rightPoint)
  }
  if (left.length < 2) return null
  return closeRing([...left, ...right.toReversed()])
}

/** The point at which the line of sight at a roll angle meets the ellipsoid. */
export function intersectLineOfSight(satellite: Satellite, time_ms: number, roll_deg: number): LonLat | null {
  return createCrossTrackView(satellite, time_ms)?.(roll_deg) ?? null
}

/** The same for several angles of one moment; null if the orbit has decayed. */
function createCrossTrackView(satellite: Satellite, time_ms: number): ((roll_deg: number) => LonLat | null) | null {
  const state = satellite.stateAt(time_ms)
  if (!state) return null
  const { right, down } = computeFlightAxes(state)
  return (roll_deg) => {
    const [sin, cos] = [Math.sin(roll_deg * radians_per_degree), Math.cos(roll_deg * radians_per_degree)]
    const direction: Vector3 = addScaledVector([down[0] * cos, down[1] * cos, down[2] * cos], right, sin)
    const point = intersectEllipsoid(state.position_km, direction)
    return point && toLonLat(earthFixedToGeodetic(point))
  }
}

const toLonLat = ({ longitude, latitude }: GeodeticPosition): LonLat => [longitude, latitude]

function timesOf({ from_ms, to_ms, step_ms = default_step_ms }: GroundTrackOptions): number[] {
  const count = Math.min(max_points, Math.max(1, Math.ceil((to_ms - from_ms) / step_ms)))
  return Array.from({ length: count + 1 }, (_, at) => from_ms + ((to_ms - from_ms) * at) / count)
}

/** Adds whole turns, so that no two neighbours are more than half a turn apart. */
function unwrap(points: readonly LonLat[]): LonLat[] {
  let turns = 0
  return points.map(([longitude, latitude], at) => {
    const previous = points[at - 1]
    if (previous) turns -= Math.round((longitude - previous[0]) / 360) * 360
    return [longitude + turns, latitude]
  })
}

/** Moves a line by whole turns to within one turn and a half, as far as its length permits. */
function wrapStart(points: readonly LonLat[]): LonLat[] {
  const middle = (Math.min(...points.map(([x]) => x)) + Math.max(...points.map(([x]) => x))) / 2
  const shift = Math.round(middle / 360) * 360
  return points.map(([x, y]) => [x - shift, y])
}

/** A polygon of the points; if they turn around the earth, the pole on their side closes it. */
function closeRing(points: readonly LonLat[]): AreaGeometry | null {
  const ring = unwrap([...points, points[0]!])
  const turn = ring.at(-1)![0] - ring[0]![0]
  const closed = Math.abs(turn) < 180 ? ring : aroundPole(ring, turn)
  const shifted = wrapStart(closed)
  const coordinates = [[...shifted.slice(0, -1), shifted[0]!]]
  const split = splitGeometryAtAntimeridian({ type: 'Polygon', coordinates })
  return split && validateAreaGeometry(split).geometry
}

/** From the point nearest to the pole, where the way to it crosses no other edge, once around and along the pole back. */
function aroundPole(ring: readonly LonLat[], turn: number): LonLat[] {
  const open = ring.slice(0, -1)
  const side = Math.sign(open.reduce((sum, [, latitude]) => sum + latitude, 0))
  const latitudes = open.map(([, latitude]) => latitude * side)
  const first = latitudes.indexOf(Math.max(...latitudes))
  const start = open[first]!
  const rest = [...open.slice(first + 1), ...open.slice(0, first).map(([x, y]): LonLat => [x + turn, y])]
  const end: LonLat = [start[0] + turn, start[1]]
  // RFC 7946: no edge is half the globe long, not even along the pole.
  const alongPole = [4, 3, 2, 1, 0].map((part): LonLat => [start[0] + (turn * part) / 4, 90 * side])
  return [start, ...rest, end, ...alongPole, start]
}
