import { day_ms } from '../time-units.ts'
import { computeGreenwichSiderealTime, inertialToEarthFixed } from './earth-frame.ts'
import type { SurfacePointAxes } from './view-angles.ts'
import { dotProduct, radians_per_degree, wrapTo360Degrees, type Vector3 } from './vector.ts'

const j2000_ms = Date.UTC(2000, 0, 1, 12)

/** The direction of the sun in the earth-fixed frame, by the low-precision formulas of the Astronomical Almanac (page C5): 0.01°. */
export function computeSunDirection(time_ms: number): Vector3 {
  const days = (time_ms - j2000_ms) / day_ms
  const anomaly = (357.528 + 0.9856003 * days) * radians_per_degree
  const longitude =
    (280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * radians_per_degree
  const obliquity = (23.439 - 4e-7 * days) * radians_per_degree
  const equatorial: Vector3 = [
    Math.cos(longitude),
    Math.cos(obliquity) * Math.sin(longitude),
    Math.sin(obliquity) * Math.sin(longitude),
  ]
  return inertialToEarthFixed(equatorial, computeGreenwichSiderealTime(time_ms))
}

/** Degrees above the horizon (without refraction) and clockwise from north; STAC `view:sun_elevation`, `view:sun_azimuth`. */
export function computeSunAngles(
  place: SurfacePointAxes,
  time_ms: number,
): { elevation_deg: number; azimuth_deg: number } {
  const sun = computeSunDirection(time_ms)
  const [east, north, up] = [dotProduct(sun, place.east), dotProduct(sun, place.north), dotProduct(sun, place.up)]
  return {
    elevation_deg: Math.atan2(up, Math.hypot(east, north)) / radians_per_degree,
    azimuth_deg: wrapTo360Degrees(Math.atan2(east, north) / radians_per_degree),
  }
}
