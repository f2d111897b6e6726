import { geodeticToEarthFixed, localAxes, verticalAt } from './earth-frame.ts'
import type { SatelliteState } from './satellite.ts'
import {
  angleBetween,
  cross,
  dot,
  normalize,
  radians_per_degree,
  subtract,
  wrapDegrees,
  type Vector,
} from './vector.ts'

/** A place on the ellipsoid with its directions, which are the same at all times. */
export interface SurfacePoint {
  readonly longitude: number
  readonly latitude: number
  readonly position_km: Vector
  readonly east: Vector
  readonly north: Vector
  readonly up: Vector
}

export const createSurfacePoint = (longitude: number, latitude: number): SurfacePoint => ({
  longitude,
  latitude,
  position_km: geodeticToEarthFixed({ longitude, latitude, height_km: 0 }),
  ...localAxes({ longitude, latitude }),
})

/** Angles between a satellite and a place, seen from each, in degrees. */
export interface ViewAngles {
  /** At the satellite, between straight down (the normal of the ellipsoid) and the place; STAC `view:off_nadir`. */
  readonly off_nadir_deg: number
  /** From the place to the satellite, clockwise from north; STAC `view:azimuth`. */
  readonly azimuth_deg: number
  /** Of the satellite above the horizon of the place; negative: invisible. */
  readonly elevation_deg: number
}

/** The direction straight down, to the subsatellite point. */
export function nadirOf(position_km: Vector): Vector {
  const up = verticalAt(position_km)
  return [-up[0], -up[1], -up[2]]
}

export function viewAngles({ position_km }: SatelliteState, place: SurfacePoint): ViewAngles {
  const line = subtract(position_km, place.position_km)
  const [east, north, up] = [dot(line, place.east), dot(line, place.north), dot(line, place.up)]
  return {
    off_nadir_deg: offNadir(position_km, place),
    azimuth_deg: wrapDegrees(Math.atan2(east, north) / radians_per_degree),
    elevation_deg: Math.atan2(up, Math.hypot(east, north)) / radians_per_degree,
  }
}

/** The off-nadir angle alone, in degrees. */
export const offNadir = (position_km: Vector, place: SurfacePoint): number =>
  angleBetween(nadirOf(position_km), subtract(place.position_km, position_km)) / radians_per_degree

/** The axes of a satellite: forward along its ground track, right of it, and down. */
export function flightAxes({ position_km, velocity_km_s }: SatelliteState): {
  readonly forward: Vector
  readonly right: Vector
  readonly down: Vector
} {
  const down = nadirOf(position_km)
  const right = normalize(cross(down, velocity_km_s))
  return { forward: cross(right, down), right, down }
}

/** The angle in degrees by which the satellite rolls to look at the place across its track; positive to the right. */
export function rollToward(state: SatelliteState, place: SurfacePoint): number {
  const { right, down } = flightAxes(state)
  const line = subtract(place.position_km, state.position_km)
  return Math.atan2(dot(line, right), dot(line, down)) / radians_per_degree
}
