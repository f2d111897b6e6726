import { geodeticToEarthFixed, computeEastNorthUp, computeEllipsoidNormal } from './earth-frame.ts'
import type { SatelliteState } from './satellite.ts'
import {
  angleBetween,
  crossProduct,
  dotProduct,
  normalizeVector,
  radians_per_degree,
  subtractVectors,
  wrapTo360Degrees,
  type Vector3,
} from './vector.ts'

/** A place on the ellipsoid with its directions, which are the same at all times. */
export interface SurfacePointAxes {
  readonly longitude: number
  readonly latitude: number
  readonly position_km: Vector3
  readonly east: Vector3
  readonly north: Vector3
  readonly up: Vector3
}

export const createSurfacePointAxes = (longitude: number, latitude: number): SurfacePointAxes => ({
  longitude,
  latitude,
  position_km: geodeticToEarthFixed({ longitude, latitude, height_km: 0 }),
  ...computeEastNorthUp({ longitude, latitude }),
})

/** Angles between a satellite and a place, seen from each, in degrees. */
export interface ViewAngles {
  /** At the satellite, between straight down (the normal of the ellipsoid) and the place; STAC `view:off_nadir`. */
  readonly off_nadir_deg: number
  /** From the place to the satellite, clockwise from north; STAC `view:azimuth`. */
  readonly azimuth_deg: number
  /** Of the satellite above the horizon of the place; negative: invisible. */
  readonly elevation_deg: number
  /**
   * At the place, between straight up (the normal of the ellipsoid) and the satellite: 90° - elevation; STAC `view:incidence_angle`.
   * It exceeds the off-nadir angle θ by the angle between both normals; on a sphere of radius R seen from a height h,
   * sin(incidence) = (1 + h / R) sin(θ).
   */
  readonly incidence_deg: number
}

/** The direction straight down, to the subsatellite point. */
export function computeNadirDirection(position_km: Vector3): Vector3 {
  const up = computeEllipsoidNormal(position_km)
  return [-up[0], -up[1], -up[2]]
}

export function computeViewAngles({ position_km }: SatelliteState, place: SurfacePointAxes): ViewAngles {
  const line = subtractVectors(position_km, place.position_km)
  const [east, north, up] = [dotProduct(line, place.east), dotProduct(line, place.north), dotProduct(line, place.up)]
  const elevation_deg = Math.atan2(up, Math.hypot(east, north)) / radians_per_degree
  return {
    off_nadir_deg: computeOffNadirAngle(position_km, place),
    azimuth_deg: wrapTo360Degrees(Math.atan2(east, north) / radians_per_degree),
    elevation_deg,
    incidence_deg: 90 - elevation_deg,
  }
}

/** The off-nadir angle alone, in degrees. */
export const computeOffNadirAngle = (position_km: Vector3, place: SurfacePointAxes): number =>
  angleBetween(computeNadirDirection(position_km), subtractVectors(place.position_km, position_km)) / radians_per_degree

/** The axes of a satellite: forward along its ground track, right of it, and down. */
export function computeFlightAxes({ position_km, velocity_km_s }: SatelliteState): {
  readonly forward: Vector3
  readonly right: Vector3
  readonly down: Vector3
} {
  const down = computeNadirDirection(position_km)
  const right = normalizeVector(crossProduct(down, velocity_km_s))
  return { forward: crossProduct(right, down), right, down }
}

/** The angle in degrees by which the satellite rolls to look at the place across its track; positive to the right. */
export function computeRollAngle(state: SatelliteState, place: SurfacePointAxes): number {
  const { right, down } = computeFlightAxes(state)
  const line = subtractVectors(place.position_km, state.position_km)
  return Math.atan2(dotProduct(line, right), dotProduct(line, down)) / radians_per_degree
}
