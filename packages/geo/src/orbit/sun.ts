import { day_ms } from '../time-units.ts'
import { siderealTime, toEarthFixed } from './earth-frame.ts'
import type { SurfacePoint } from './view-angles.ts'
import { dot, radians_per_degree, wrapDegrees, type Vector } from './vector.ts'

const j2000_ms = Date.UTC(2000, 0, 1, 12)

/** The direction of the sun in the earth-fixed frame, by the low-precision formulas of the Astronomical Almanac (page C5): 0.01°. */
export function sunDirection(time_ms: number): Vector {
  const days = (time_ms - j2000_ms) / day_ms
  const anomaly = (357.528 + 0.9856003 * days) * radians_per_degree
  const longitude =
    (280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * radians_per_degree
  const obliquity = (23.439 - 4e-7 * days) * radians_per_degree
  const equatorial: Vector = [
    Math.cos(longitude),
    Math.cos(obliquity) * Math.sin(longitude),
    Math.sin(obliquity) * Math.sin(longitude),
  ]
  return toEarthFixed(equatorial, siderealTime(time_ms))
}

/** Degrees above the horizon (without refraction) and clockwise from north; STAC `view:sun_elevation`, `view:sun_azimuth`. */
export function sunAngles(place: SurfacePoint, time_ms: number): { elevation_deg: number; azimuth_deg: number } {
  const sun = sunDirection(time_ms)
  const [east, north, up] = [dot(sun, place.east), dot(sun, place.north), dot(sun, place.up)]
  return {
    elevation_deg: Math.atan2(up, Math.hypot(east, north)) / radians_per_degree,
    azimuth_deg: wrapDegrees(Math.atan2(east, north) / radians_per_degree),
  }
}
