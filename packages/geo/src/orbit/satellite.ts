import { sgp4, twoline2satrec } from 'satellite.js'
import {
  earth_rotation_rad_s,
  earthFixedToGeodetic,
  computeGreenwichSiderealTime,
  inertialToEarthFixed,
  type GeodeticPosition,
} from './earth-frame.ts'
import { ElementSetError, type ElementSet } from './element-set.ts'
import type { Vector3 } from './vector.ts'

/** Position of a satellite relative to the rotating earth. */
export interface SatelliteState {
  readonly position_km: Vector3
  /** Relative to the surface: the rotation of the earth is taken off. */
  readonly velocity_km_s: Vector3
}

/** An orbit that can be evaluated at any time. */
export interface Satellite {
  readonly elements: ElementSet
  readonly period_s: number
  /** The largest distance from the centre of the earth. */
  readonly apogee_radius_km: number
  /** The largest angular speed relative to the surface, as seen from the centre of the earth, in radians per second. */
  readonly max_angular_speed: number
  /** Null if the elements do not describe an orbit at this time: it has decayed. */
  stateAt(time_ms: number): SatelliteState | null
  /** The position alone, for searches. */
  positionAt(time_ms: number): Vector3 | null
}

const mu_km3_s2 = 398_600.4418
const day_s = 86_400
/** Osculating elements differ from the mean ones of SGP4; low orbits by up to 15 km and 0.002 in eccentricity. */
const radius_margin_km = 30
const speed_margin = 1.02

/** A satellite that SGP4 flies ("Revisiting Spacetrack Report #3", AIAA 2006-6753). Throws `ElementSetError` if it cannot. */
export function createSatellite(elements: ElementSet): Satellite {
  const record = twoline2satrec(elements.line1, elements.line2)
  if (record.error !== 0) throw new ElementSetError(`The elements of "${elements.name}" are not those of an orbit.`)
  const epoch_ms = elements.epoch.getTime()
  const { eccentricity } = elements
  const radians_per_s = (elements.mean_motion * 2 * Math.PI) / day_s
  const semi_major_axis_km = Math.cbrt(mu_km3_s2 / radians_per_s ** 2)
  // Kepler's second law: the speed is largest at the perigee.
  const perigee_speed = (radians_per_s * (1 + eccentricity) ** 2) / (1 - eccentricity ** 2) ** 1.5
  const propagate = (time_ms: number) => {
    const state = sgp4(record, (time_ms - epoch_ms) / 60_000)
    return state && !Number.isNaN(state.position.x) ? state : null
  }
  return {
    elements,
    period_s: day_s / elements.mean_motion,
    apogee_radius_km: semi_major_axis_km * (1 + eccentricity) + radius_margin_km,
    max_angular_speed: (perigee_speed + earth_rotation_rad_s) * speed_margin,
    stateAt(time_ms) {
      const state = propagate(time_ms)
      if (!state) return null
      const { position, velocity } = state
      const sidereal_time = computeGreenwichSiderealTime(time_ms)
      const position_km = inertialToEarthFixed([position.x, position.y, position.z], sidereal_time)
      const [vx, vy, vz] = inertialToEarthFixed([velocity.x, velocity.y, velocity.z], sidereal_time)
      // The frame turns with the earth: v' = v - ω × r.
      const velocity_km_s: Vector3 = [
        vx + earth_rotation_rad_s * position_km[1],
        vy - earth_rotation_rad_s * position_km[0],
        vz,
      ]
      return { position_km, velocity_km_s }
    },
    positionAt(time_ms) {
      const state = propagate(time_ms)
      return (
        state &&
        inertialToEarthFixed(
          [state.position.x, state.position.y, state.position.z],
          computeGreenwichSiderealTime(time_ms),
        )
      )
    },
  }
}

/** The point of the ellipsoid below a satellite, with the height of the satellite; null if it has decayed. */
export function computeSubsatellitePoint(satellite: Satellite, time_ms: number): GeodeticPosition | null {
  const state = satellite.stateAt(time_ms)
  return state && earthFixedToGeodetic(state.position_km)
}

/** Northward flight is ascending. Null if the orbit has decayed. */
export function findOrbitDirection(satellite: Satellite, time_ms: number): 'ascending' | 'descending' | null {
  const state = satellite.stateAt(time_ms)
  return state && (state.velocity_km_s[2] > 0 ? 'ascending' : 'descending')
}
