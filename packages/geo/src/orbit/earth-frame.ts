import { FLATTENING, SEMI_MAJOR_AXIS_M } from '../geodesic.ts'
import { addScaled, dot, RADIANS, type Vector } from './vector.ts'

/** Semi-axes of WGS 84 in kilometres, and the square of its eccentricity. */
export const EQUATORIAL_RADIUS_KM = SEMI_MAJOR_AXIS_M / 1000
export const POLAR_RADIUS_KM = EQUATORIAL_RADIUS_KM * (1 - FLATTENING)
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)

/** Radians per second of universal time (Vallado, "Fundamentals of Astrodynamics", 4th edition, constant of section 3.5). */
export const EARTH_ROTATION_RAD_S = 7.292115146706979e-5

const J2000_MS = Date.UTC(2000, 0, 1, 12)
const CENTURY_MS = 36_525 * 86_400_000

/**
 * Greenwich mean sidereal time in radians, 0 to 2π (IAU 1982; Vallado, 4th edition, equation 3-45). UTC stands for UT1,
 * from which it differs by less than 0.9 s: 420 m of rotation at the equator.
 */
export function siderealTime(time_ms: number): number {
  const centuries = (time_ms - J2000_MS) / CENTURY_MS
  const seconds =
    67_310.54841 + (876_600 * 3600 + 8_640_184.812866) * centuries + 0.093104 * centuries ** 2 - 6.2e-6 * centuries ** 3
  const angle = ((seconds % 86_400) / 86_400) * 2 * Math.PI
  return angle < 0 ? angle + 2 * Math.PI : angle
}

/** Turns a vector of the true equator (the frame of SGP4) into the earth-fixed frame; polar motion (under 20 m) is ignored. */
export function toEarthFixed([x, y, z]: Vector, sidereal_time: number): Vector {
  const [sin, cos] = [Math.sin(sidereal_time), Math.cos(sidereal_time)]
  return [cos * x + sin * y, cos * y - sin * x, z]
}

/** Degrees, and kilometres above the ellipsoid WGS 84. */
export interface GeodeticPosition {
  readonly longitude: number
  readonly latitude: number
  readonly height_km: number
}

export function geodeticToEarthFixed({ longitude, latitude, height_km }: GeodeticPosition): Vector {
  const [sinLatitude, cosLatitude] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)]
  const normal_km = EQUATORIAL_RADIUS_KM / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLatitude * sinLatitude)
  const axial_km = (normal_km + height_km) * cosLatitude
  return [
    axial_km * Math.cos(longitude * RADIANS),
    axial_km * Math.sin(longitude * RADIANS),
    (normal_km * (1 - ECCENTRICITY_SQUARED) + height_km) * sinLatitude,
  ]
}

/** The inverse, by Bowring's iteration of the reduced latitude (Survey Review 23, 1976); exact to a micrometre in orbit. */
export function earthFixedToGeodetic([x, y, z]: Vector): GeodeticPosition {
  const axial_km = Math.hypot(x, y)
  let tangent = z / (axial_km * (1 - FLATTENING))
  let latitude = 0
  for (let iteration = 0; iteration < 3; iteration++) {
    const reduced = Math.atan(tangent)
    latitude = Math.atan2(
      z + (ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED)) * POLAR_RADIUS_KM * Math.sin(reduced) ** 3,
      axial_km - ECCENTRICITY_SQUARED * EQUATORIAL_RADIUS_KM * Math.cos(reduced) ** 3,
    )
    tangent = (1 - FLATTENING) * Math.tan(latitude)
  }
  const [sin, cos] = [Math.sin(latitude), Math.cos(latitude)]
  const normal_km = EQUATORIAL_RADIUS_KM / Math.sqrt(1 - ECCENTRICITY_SQUARED * sin * sin)
  const height_km = axial_km * cos + z * sin - EQUATORIAL_RADIUS_KM ** 2 / normal_km
  return { longitude: Math.atan2(y, x) / RADIANS, latitude: latitude / RADIANS, height_km }
}

/** The directions east, north and up at a geodetic position, in the earth-fixed frame. */
export function localAxes({ longitude, latitude }: Pick<GeodeticPosition, 'longitude' | 'latitude'>): {
  readonly east: Vector
  readonly north: Vector
  readonly up: Vector
} {
  const [sinLon, cosLon] = [Math.sin(longitude * RADIANS), Math.cos(longitude * RADIANS)]
  const [sinLat, cosLat] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)]
  return {
    east: [-sinLon, cosLon, 0],
    north: [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    up: [cosLat * cosLon, cosLat * sinLon, sinLat],
  }
}

/** The first point of the ellipsoid WGS 84 on a ray; null if the ray misses it. The direction has length 1. */
export function intersectEllipsoid(origin: Vector, direction: Vector): Vector | null {
  const stretch = EQUATORIAL_RADIUS_KM / POLAR_RADIUS_KM
  const o: Vector = [origin[0], origin[1], origin[2] * stretch]
  const d: Vector = [direction[0], direction[1], direction[2] * stretch]
  const [a, half, c] = [dot(d, d), dot(o, d), dot(o, o) - EQUATORIAL_RADIUS_KM ** 2]
  const discriminant = half * half - a * c
  if (discriminant < 0) return null
  const distance_km = (-half - Math.sqrt(discriminant)) / a
  return distance_km > 0 ? addScaled(origin, direction, distance_km) : null
}
