import { wgs84_flattening, wgs84_semi_major_axis_m } from '../geodesic.ts'
import { addScaledVector, dotProduct, radians_per_degree, type Vector3 } from './vector.ts'

/** Semi-axes of WGS 84 in kilometres, and the square of its eccentricity. */
export const wgs84_equatorial_radius_km = wgs84_semi_major_axis_m / 1000
export const wgs84_polar_radius_km = wgs84_equatorial_radius_km * (1 - wgs84_flattening)
const eccentricity_squared = wgs84_flattening * (2 - wgs84_flattening)

/** Radians per second of universal time (Vallado, "Fundamentals of Astrodynamics", 4th edition, constant of section 3.5). */
export const earth_rotation_rad_s = 7.292115146706979e-5

const j2000_ms = Date.UTC(2000, 0, 1, 12)
const century_ms = 36_525 * 86_400_000

/**
 * Greenwich mean sidereal time in radians, 0 to 2π (IAU 1982; Vallado, 4th edition, equation 3-45). UTC stands for UT1,
 * from which it differs by less than 0.9 s: 420 m of rotation at the equator.
 */
export function computeGreenwichSiderealTime(time_ms: number): number {
  const centuries = (time_ms - j2000_ms) / century_ms
  const seconds =
    67_310.54841 + (876_600 * 3600 + 8_640_184.812866) * centuries + 0.093104 * centuries ** 2 - 6.2e-6 * centuries ** 3
  const angle = ((seconds % 86_400) / 86_400) * 2 * Math.PI
  return angle < 0 ? angle + 2 * Math.PI : angle
}

/** Turns a vector of the true equator (the frame of SGP4) into the earth-fixed frame; polar motion (under 20 m) is ignored. */
export function inertialToEarthFixed([x, y, z]: Vector3, sidereal_time: number): Vector3 {
  const [sin, cos] = [Math.sin(sidereal_time), Math.cos(sidereal_time)]
  return [cos * x + sin * y, cos * y - sin * x, z]
}

/** Degrees, and kilometres above the ellipsoid WGS 84. */
export interface GeodeticPosition {
  readonly longitude: number
  readonly latitude: number
  readonly height_km: number
}

export function geodeticToEarthFixed({ longitude, latitude, height_km }: GeodeticPosition): Vector3 {
  const [sinLatitude, cosLatitude] = [Math.sin(latitude * radians_per_degree), Math.cos(latitude * radians_per_degree)]
  const normal_km = wgs84_equatorial_radius_km / Math.sqrt(1 - eccentricity_squared * sinLatitude * sinLatitude)
  const axial_km = (normal_km + height_km) * cosLatitude
  return [
    axial_km * Math.cos(longitude * radians_per_degree),
    axial_km * Math.sin(longitude * radians_per_degree),
    (normal_km * (1 - eccentricity_squared) + height_km) * sinLatitude,
  ]
}

/** The inverse, by Bowring's iteration of the reduced latitude (Survey Review 23, 1976); exact to a micrometre in orbit. */
export function earthFixedToGeodetic([x, y, z]: Vector3): GeodeticPosition {
  const axial_km = Math.hypot(x, y)
  let tangent = z / (axial_km * (1 - wgs84_flattening))
  let latitude = 0
  for (let iteration = 0; iteration < 3; iteration++) {
    const reduced = Math.atan(tangent)
    latitude = Math.atan2(
      z + (eccentricity_squared / (1 - eccentricity_squared)) * wgs84_polar_radius_km * Math.sin(reduced) ** 3,
      axial_km - eccentricity_squared * wgs84_equatorial_radius_km * Math.cos(reduced) ** 3,
    )
    tangent = (1 - wgs84_flattening) * Math.tan(latitude)
  }
  const [sin, cos] = [Math.sin(latitude), Math.cos(latitude)]
  const normal_km = wgs84_equatorial_radius_km / Math.sqrt(1 - eccentricity_squared * sin * sin)
  const height_km = axial_km * cos + z * sin - wgs84_equatorial_radius_km ** 2 / normal_km
  return { longitude: Math.atan2(y, x) / radians_per_degree, latitude: latitude / radians_per_degree, height_km }
}

/** The normal of the ellipsoid through a position in space: the direction up of `earthFixedToGeodetic`, without its angles. */
export function computeEllipsoidNormal([x, y, z]: Vector3): Vector3 {
  const axial_km = Math.hypot(x, y)
  if (axial_km === 0) return [0, 0, Math.sign(z)]
  let reduced = z / (axial_km * (1 - wgs84_flattening))
  let tangent = 0
  for (let iteration = 0; iteration < 3; iteration++) {
    const cos = 1 / Math.sqrt(1 + reduced * reduced)
    const sin = reduced * cos
    tangent =
      (z + (eccentricity_squared / (1 - eccentricity_squared)) * wgs84_polar_radius_km * sin * sin * sin) /
      (axial_km - eccentricity_squared * wgs84_equatorial_radius_km * cos * cos * cos)
    reduced = (1 - wgs84_flattening) * tangent
  }
  const cos = 1 / Math.sqrt(1 + tangent * tangent)
  return [(x / axial_km) * cos, (y / axial_km) * cos, tangent * cos]
}

/** The directions east, north and up at a geodetic position, in the earth-fixed frame. */
export function computeEastNorthUp({ longitude, latitude }: Pick<GeodeticPosition, 'longitude' | 'latitude'>): {
  readonly east: Vector3
  readonly north: Vector3
  readonly up: Vector3
} {
  const [sinLon, cosLon] = [Math.sin(longitude * radians_per_degree), Math.cos(longitude * radians_per_degree)]
  const [sinLat, cosLat] = [Math.sin(latitude * radians_per_degree), Math.cos(latitude * radians_per_degree)]
  return {
    east: [-sinLon, cosLon, 0],
    north: [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    up: [cosLat * cosLon, cosLat * sinLon, sinLat],
  }
}

/** The first point of the ellipsoid WGS 84 on a ray; null if the ray misses it. The direction has length 1. */
export function intersectEllipsoid(origin: Vector3, direction: Vector3): Vector3 | null {
  const stretch = wgs84_equatorial_radius_km / wgs84_polar_radius_km
  const o: Vector3 = [origin[0], origin[1], origin[2] * stretch]
  const d: Vector3 = [direction[0], direction[1], direction[2] * stretch]
  const [a, half, c] = [dotProduct(d, d), dotProduct(o, d), dotProduct(o, o) - wgs84_equatorial_radius_km ** 2]
  const discriminant = half * half - a * c
  if (discriminant < 0) return null
  const distance_km = (-half - Math.sqrt(discriminant)) / a
  return distance_km > 0 ? addScaledVector(origin, direction, distance_km) : null
}
