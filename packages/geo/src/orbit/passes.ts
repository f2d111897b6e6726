import { wgs84_polar_radius_km } from './earth-frame.ts'
import type { Satellite } from './satellite.ts'
import type { SurfacePointAxes } from './view-angles.ts'
import { computeNadirDirection } from './view-angles.ts'
import { angleBetween, dotProduct, radians_per_degree, subtractVectors, type Vector3 } from './vector.ts'

/** A time in which a satellite sees a place, or a part of an area, within a maximum off-nadir angle. */
export interface SatellitePass {
  readonly start_ms: number
  readonly end_ms: number
  /** When the off-nadir angle is smallest. */
  readonly closest_ms: number
  readonly off_nadir_deg: number
}

export interface PassSearchOptions {
  readonly from_ms: number
  readonly to_ms: number
  readonly max_off_nadir_deg: number
}

const sample_ms = 20_000
/** Of one approach: a satellite that never leaves is searched piece by piece. */
const max_samples = 10_000
/** Steps shorter than this would not end. */
const min_step_ms = 500
const time_tolerance_ms = 1
/** A point of an area may be nearest before any of it is within the limit. */
const approach_margin_ms = 120_000
/** A thousandth of the angle that a satellite moves in a millisecond. */
const angle_tolerance_deg = 1e-6
const golden_ratio = (Math.sqrt(5) - 1) / 2
/** Geodetic and geocentric nadir differ by up to 0.2 degrees. */
const nadir_margin_deg = 0.25
const horizon_deg = 90

/**
 * The passes over a place (one point) or an area (points of its boundary and inside) whose closest moment lies in the
 * window, soonest first. While the satellite is far from the points, the search jumps ahead by the time that it needs at
 * least to come near at its largest angular speed, so no pass is missed however short it is; near them it samples, and
 * finds the closest moment and the limits to a millisecond. The search ends where the elements no longer describe an orbit.
 */
export function findSatellitePasses(
  satellite: Satellite,
  points: readonly SurfacePointAxes[],
  search: PassSearchOptions,
): SatellitePass[] {
  if (points.length === 0) return []
  const { center, radius } = boundingCap(points)
  const reach = radius + maxCentralAngle(satellite, search.max_off_nadir_deg)
  const positions = new Map<number, Vector3 | null>()
  /** The search and the refinement of an approach ask for the same sampled times. */
  const positionAt = (time_ms: number): Vector3 | null => {
    const known = positions.get(time_ms)
    if (known !== undefined) return known
    const position_km = satellite.positionAt(time_ms)
    positions.set(time_ms, position_km)
    return position_km
  }
  const angleAt = createAngleFunction(positionAt, points)
  /** Angle by which the satellite is outside the cap from which it sees a point, in radians, negative inside; null if it has decayed. */
  const distanceAt = (time_ms: number): number | null => {
    const position_km = positionAt(time_ms)
    return position_km && angleBetween(position_km, center) - reach
  }
  const passes: SatellitePass[] = []
  const overlap_ms = satellite.period_s * 250
  const end_ms = search.to_ms + overlap_ms
  let time_ms = search.from_ms - overlap_ms
  while (time_ms <= end_ms) {
    const distance = distanceAt(time_ms)
    if (distance === null) break
    if (distance > 0) {
      time_ms += Math.max(min_step_ms, (distance / satellite.max_angular_speed) * 1000)
      continue
    }
    const samples = sampleTimes(time_ms, (at_ms) => (distanceAt(at_ms) ?? 1) <= 0)
    const pass = refinePass(samples, angleAt, search.max_off_nadir_deg)
    if (pass && pass.closest_ms >= search.from_ms && pass.closest_ms <= search.to_ms) passes.push(pass)
    time_ms = samples.at(-1)!
    positions.clear()
  }
  return passes
}

/**
 * The moment of a pass at which the off-nadir angle to a point is smallest. It differs from that of the pass where the area is
 * larger than what the satellite comes near to.
 */
export function findClosestApproach(
  satellite: Satellite,
  point: SurfacePointAxes,
  { start_ms, end_ms }: Pick<SatellitePass, 'start_ms' | 'end_ms'>,
): number {
  const angleAt = createAngleFunction((time_ms) => satellite.positionAt(time_ms), [point])
  return findMinimum(angleAt, start_ms - approach_margin_ms, end_ms + approach_margin_ms)
}

/**
 * Times from before `near_ms` until the satellite has left the surroundings of the points. They are whole multiples of the
 * step, so that a pass is computed in the same way whenever the search began.
 */
function sampleTimes(near_ms: number, isNear: (time_ms: number) => boolean): number[] {
  const samples = [Math.floor(near_ms / sample_ms - 1) * sample_ms]
  for (;;) {
    const next = samples.at(-1)! + sample_ms
    samples.push(next)
    if (next > near_ms && (!isNear(next) || samples.length > max_samples)) return samples
  }
}

type AngleFunction = (time_ms: number) => number

/** The smallest off-nadir angle of the points; beyond the horizon, angles continue to grow from 90 degrees on. */
function createAngleFunction(
  positionAt: (time_ms: number) => Vector3 | null,
  points: readonly SurfacePointAxes[],
): AngleFunction {
  return (time_ms) => {
    const position_km = positionAt(time_ms)
    if (!position_km) return 180
    const nadir = computeNadirDirection(position_km)
    let smallest = 180
    for (const point of points) {
      const line = subtractVectors(point.position_km, position_km)
      const angle = angleBetween(nadir, line) / radians_per_degree
      const isVisible = dotProduct(line, point.up) <= 0
      smallest = Math.min(smallest, isVisible ? angle : 180 - Math.min(angle, horizon_deg))
    }
    return smallest
  }
}

function refinePass(samples: readonly number[], angleAt: AngleFunction, limit_deg: number): SatellitePass | null {
  const angles = samples.map(angleAt)
  const lowest = angles.indexOf(Math.min(...angles))
  const before = samples[Math.max(0, lowest - 1)]!
  const after = samples[Math.min(samples.length - 1, lowest + 1)]!
  const closest_ms = findMinimum(angleAt, before, after)
  const off_nadir_deg = angleAt(closest_ms)
  if (off_nadir_deg > limit_deg) return null
  const inside = [closest_ms, ...samples.filter((_, index) => angles[index]! <= limit_deg)]
  const first = Math.min(...inside)
  const last = Math.max(...inside)
  const start_ms = findLimit(angleAt, limit_deg, first, samples.findLast((time) => time < first) ?? first)
  const end_ms = findLimit(angleAt, limit_deg, last, samples.find((time) => time > last) ?? last)
  return { start_ms, end_ms, closest_ms, off_nadir_deg }
}

/**
 * The minimum between two times by Brent's method ("Algorithms for minimization without derivatives", 1973, chapter 5):
 * parabolas through the three best times, and golden sections where these do not help, as near an overhead pass.
 */
function findMinimum(angleAt: AngleFunction, from_ms: number, to_ms: number): number {
  let [left, right] = [from_ms, to_ms]
  let best = right - golden_ratio * (right - left)
  let [second, third] = [best, best]
  let [bestAngle, secondAngle, thirdAngle] = Array.from({ length: 3 }, () => angleAt(best)) as [number, number, number]
  let [step, previousStep] = [0, 0]
  while (right - left > 4 * time_tolerance_ms) {
    const parabola = parabolicStep([best, bestAngle], [second, secondAngle], [third, thirdAngle])
    const isUseful =
      Math.abs(parabola) < Math.abs(previousStep) / 2 && best + parabola > left && best + parabola < right
    previousStep = isUseful ? step : best < (left + right) / 2 ? right - best : left - best
    step = isUseful ? parabola : (1 - golden_ratio) * previousStep
    if (Math.abs(step) < time_tolerance_ms) step = best < (left + right) / 2 ? time_tolerance_ms : -time_tolerance_ms
    const next = best + step
    const nextAngle = angleAt(next)
    if (nextAngle <= bestAngle) {
      if (next < best) right = best
      else left = best
      ;[third, thirdAngle, second, secondAngle] = [second, secondAngle, best, bestAngle]
      ;[best, bestAngle] = [next, nextAngle]
    } else {
      if (next < best) left = next
      else right = next
      if (nextAngle <= secondAngle || second === best)
        [third, thirdAngle, second, secondAngle] = [second, secondAngle, next, nextAngle]
      else if (nextAngle <= thirdAngle || third === best || third === second) [third, thirdAngle] = [next, nextAngle]
    }
  }
  return best
}

type Sample = readonly [time_ms: number, angle: number]

/** From the best of three samples to the vertex of the parabola through them; infinite if they are on a line. */
function parabolicStep([x, f]: Sample, [x1, f1]: Sample, [x2, f2]: Sample): number {
  const r = (x - x1) * (f - f2)
  const q = (x - x2) * (f - f1)
  const step = ((x - x2) * q - (x - x1) * r) / (2 * (r - q))
  return Number.isNaN(step) ? Infinity : step
}

/** The time at which the angle reaches the limit, between one inside and one outside, by false position (Illinois). */
function findLimit(angleAt: AngleFunction, limit_deg: number, inside_ms: number, outside_ms: number): number {
  let [inside, outside] = [inside_ms, outside_ms]
  if (inside === outside) return inside
  let [low, high] = [angleAt(inside) - limit_deg, angleAt(outside) - limit_deg]
  let replaced: 'inside' | 'outside' | null = null
  while (Math.abs(outside - inside) > time_tolerance_ms) {
    const next = inside + ((outside - inside) * low) / (low - high)
    const value = angleAt(next) - limit_deg
    // The root is so near that its side does not matter.
    if (Math.abs(value) < angle_tolerance_deg || next === inside || next === outside) return next
    // An end that stays twice loses half of its weight, so that the other one moves as well.
    if (value < 0) {
      if (replaced === 'inside') high /= 2
      ;[inside, low, replaced] = [next, value, 'inside']
    } else {
      if (replaced === 'outside') low /= 2
      ;[outside, high, replaced] = [next, value, 'outside']
    }
  }
  return inside
}

/** The largest angle at the centre of the earth between a satellite and a place that it can see under the limit, in radians. */
function maxCentralAngle({ apogee_radius_km }: Satellite, max_off_nadir_deg: number): number {
  const angle = (max_off_nadir_deg + nadir_margin_deg) * radians_per_degree
  const ratio = apogee_radius_km / wgs84_polar_radius_km
  const horizon = Math.acos(1 / ratio)
  // Law of sines in the triangle of satellite, place and centre of the earth.
  const sine = ratio * Math.sin(angle)
  return (angle >= Math.PI / 2 || sine >= 1 ? horizon : Math.asin(sine) - angle) + nadir_margin_deg * radians_per_degree
}

/** A direction, and the largest angle in radians between it and a point. */
function boundingCap(points: readonly SurfacePointAxes[]): { center: Vector3; radius: number } {
  const sum = points.reduce<[number, number, number]>(
    ([x, y, z], { up }) => [x + up[0], y + up[1], z + up[2]],
    [0, 0, 0],
  )
  const center: Vector3 = Math.hypot(...sum) > 1e-9 ? sum : points[0]!.up
  return { center, radius: Math.max(...points.map(({ position_km }) => angleBetween(position_km, center))) }
}
