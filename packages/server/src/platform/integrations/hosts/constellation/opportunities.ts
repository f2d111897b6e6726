import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { day_ms } from '@swath/geo/time-units.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { computeAreaCenter, sampleAreaPoints } from '@swath/geo/orbit/area-points.ts'
import { findClosestApproach, findSatellitePasses, type SatellitePass } from '@swath/geo/orbit/passes.ts'
import type { Satellite } from '@swath/geo/orbit/satellite.ts'
import { computeSunAngles } from '@swath/geo/orbit/sun.ts'
import { computeGroundTrack, computeSwathStrip } from '@swath/geo/orbit/tracks.ts'
import { earthFixedToGeodetic } from '@swath/geo/orbit/earth-frame.ts'
import { computeRollAngle, computeViewAngles, type SurfacePointAxes } from '@swath/geo/orbit/view-angles.ts'
import { coveredFraction, intersectPolygons } from '@swath/geo/polygon-clip.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { PredictedOpportunity, TaskingProduct, TaskingRequest } from '../../tasking-host.ts'
import { computeCloudCoverProbability, computeExpectedCloudCover_pct } from './cloud-climate.ts'
import { requireConstellationProduct } from './products.ts'
import { requireConstellationSensor, type ConstellationSensor } from './sensors.ts'
import type { ConstellationSatellites } from './constellation-satellites.ts'

/** An opportunity with what placing it needs. */
export interface PlannedPass extends Omit<PredictedOpportunity, 'conflict'> {
  /** The moment of the acquisition. */
  readonly at: Date
  readonly is_shared: boolean
  readonly slew_s: number
}

/** Time that the operator needs to command a satellite. */
export const tasking_lead_time_ms = 3600 * 1000
const max_opportunities = 500
/** Optical instruments do not record below this. */
const min_recorded_sun_elevation_deg = 5
/** More than the sun differs between the centre of an area as a pass begins and that of its footprint when it is acquired. */
const max_sun_difference_deg = 12
const min_coverage = 0.005
/** Some milliseconds of this thread: the footprint of an area with more edges is the area. */
const max_footprint_steps = 100_000
/** A scene with more cloud is not usable to most: what a chance is for, where the request sets no limit. */
const usable_cloud_pct = 20
const track_margin_ms = 120_000
const track_step_ms = 20_000
const strip_margin_ms = 20_000
const radians = Math.PI / 180

/** Throws `HostRefusal` if the product does not permit the request. */
export function requirePermittedTaskingRequest(request: TaskingRequest): TaskingProduct {
  const product = requireConstellationProduct(request.product)
  const area_km2 = geometryArea_km2(request.geometry)
  if (area_km2 < product.min_area_km2 || area_km2 > product.max_area_km2)
    throw new HostRefusal(
      `The area must have from ${product.min_area_km2} to ${product.max_area_km2} km²; it has ${area_km2.toFixed(1)}.`,
      'invalid_geometry',
    )
  const window_ms = request.to.getTime() - request.from.getTime()
  if (!(window_ms > 0)) throw new HostRefusal('The window must end after it begins.', 'invalid_window')
  if (window_ms > product.max_window_days * day_ms)
    throw new HostRefusal(`The window must not be longer than ${product.max_window_days} days.`, 'invalid_window')
  if (request.sensor !== undefined && !product.sensors.includes(request.sensor))
    throw new HostRefusal(`The product has no sensor "${request.sensor}".`, 'invalid_sensor')
  return product
}

/** The passes of the window from `now` on, soonest first, also those that are booked. Throws `HostRefusal`. */
export async function findPlannedPasses(
  sky: ConstellationSatellites,
  request: TaskingRequest,
  now: Date,
  signal?: AbortSignal,
): Promise<PlannedPass[]> {
  const product = requirePermittedTaskingRequest(request)
  const sensors = product.sensors.filter((id) => request.sensor === undefined || id === request.sensor)
  const points = sampleAreaPoints(request.geometry)
  const center = computeAreaCenter(request.geometry)
  const window = {
    from_ms: Math.max(request.from.getTime(), now.getTime() + tasking_lead_time_ms),
    to_ms: request.to.getTime(),
  }
  const found: PlannedPass[] = []
  for (const sensor of sensors.map(requireConstellationSensor)) {
    const limit = Math.min(sensor.max_off_nadir_deg, request.max_off_nadir_deg ?? Infinity)
    for (const name of sensor.satellites) {
      // The search of one satellite takes some milliseconds of this thread.
      await yieldToOthers()
      signal?.throwIfAborted()
      const satellite = sky.get(name)!
      const passes = findSatellitePasses(satellite, points, { ...window, max_off_nadir_deg: limit })
      found.push(...passes.flatMap((pass) => planPass({ satellite, sensor, limit, center, request }, pass) ?? []))
    }
  }
  return found.toSorted((left, right) => left.at.getTime() - right.at.getTime()).slice(0, max_opportunities)
}

interface PassContext {
  readonly satellite: Satellite
  readonly sensor: ConstellationSensor
  readonly limit: number
  readonly center: SurfacePointAxes
  readonly request: TaskingRequest
}

/**
 * Plans how a pass acquires the area: the satellite rolls toward its centre when it is nearest to that, and the angles are those
 * at the centre of the footprint when it is nearest to this. Null at night, or if the strip misses the area.
 */
function planPass({ satellite, sensor, limit, center, request }: PassContext, pass: SatellitePass): PlannedPass | null {
  // Before anything else: half of all passes are at night.
  if (isTooDark(computeSunAngles(center, pass.start_ms).elevation_deg + max_sun_difference_deg, request)) return null
  const center_ms = findClosestApproach(satellite, center, pass)
  const state = satellite.stateAt(center_ms)
  if (!state) return null
  const wanted_deg = sensor.is_systematic ? 0 : computeRollAngle(state, center)
  const roll_deg = Math.max(-limit, Math.min(limit, wanted_deg))
  const { height_km } = earthFixedToGeodetic(state.position_km)
  const half_field_deg = Math.atan(sensor.swath_km / 2 / height_km) / radians
  // What the instrument sees beyond the limit is not acquired.
  const [left_deg, right_deg] = [
    Math.max(-limit, roll_deg - half_field_deg),
    Math.min(limit, roll_deg + half_field_deg),
  ]
  const strip = {
    from_ms: pass.start_ms - strip_margin_ms,
    to_ms: pass.end_ms + strip_margin_ms,
    roll_deg: (left_deg + right_deg) / 2,
    half_width_deg: (right_deg - left_deg) / 2,
  }
  const swath = computeSwathStrip(satellite, strip)
  if (!swath) return null
  const coverage = coveredFraction(request.geometry, [swath])
  if (coverage < min_coverage) return null
  const footprint = coverage === 1 ? request.geometry : intersectPolygons(request.geometry, swath, max_footprint_steps)
  if (!footprint) return null
  const imaged = coverage === 1 ? center : computeAreaCenter(footprint)
  const at_ms = coverage === 1 ? center_ms : findClosestApproach(satellite, imaged, pass)
  const view = computeViewAngles(satellite.stateAt(at_ms) ?? state, imaged)
  const sun = computeSunAngles(imaged, at_ms)
  if (isTooDark(sun.elevation_deg, request)) return null
  const at = new Date(Math.round(at_ms))
  const cloud_pct = computeExpectedCloudCover_pct(center.latitude, at)
  const max_cloud_pct = request.max_cloud_pct ?? usable_cloud_pct
  return {
    id: passId(satellite.elements.name, at),
    satellite: satellite.elements.name,
    sensor: sensor.id,
    at,
    from: new Date(Math.round(pass.start_ms)),
    to: new Date(Math.round(pass.end_ms)),
    footprint,
    swath,
    ground_track: computeGroundTrack(satellite, {
      from_ms: pass.start_ms - track_margin_ms,
      to_ms: pass.end_ms + track_margin_ms,
      step_ms: track_step_ms,
    }),
    off_nadir_deg: round(view.off_nadir_deg, 3),
    view_azimuth_deg: round(view.azimuth_deg, 3),
    incidence_deg: round(view.incidence_deg, 3),
    sun_elevation_deg: round(sun.elevation_deg, 3),
    sun_azimuth_deg: round(sun.azimuth_deg, 3),
    coverage: round(coverage, 4),
    cloud_pct,
    probability: round(computeCloudCoverProbability(max_cloud_pct, cloud_pct), 4),
    max_cloud_pct,
    is_shared: sensor.is_systematic,
    slew_s: sensor.slew_s,
  }
}

const isTooDark = (elevation_deg: number, { min_sun_elevation_deg = -90 }: TaskingRequest): boolean =>
  elevation_deg < Math.max(min_recorded_sun_elevation_deg, min_sun_elevation_deg)

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Passes of a satellite over a place are more than an hour apart, so the minute names one. */
const passId = (satellite: string, at: Date): string =>
  `${computeSatelliteKey(satellite)}-${at.toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z`

export const computeSatelliteKey = (satellite: string): string => satellite.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
