import { boxAround } from '@swath/geo/bbox.ts'
import { areaOf } from '../description.ts'
import { normalizeFootprint } from '../normalize-footprint.ts'
import { isObject } from './document.ts'
import { geometryShape } from './geometry-shape.ts'

/**
 * Normalizes the geometry of a Feature to ±180 degrees: one that crosses the antimeridian is split; one that spans more than
 * 360 degrees covers all longitudes. Null without a geometry: STAC does not allow a bbox then.
 */
export function readGeometry(geometry: unknown, bbox: unknown): unknown {
  if (geometry === null || geometry === undefined) return null
  if (!isObject(geometry)) return geometry
  const whole = withoutEmpty(geometry)
  return aroundTheEarth(whole) ?? normalizeFootprint(whole, Array.isArray(bbox) ? bbox : null)
}

/** All longitudes between the latitudes of a geometry that spans more than 360 degrees; null for other geometries. */
function aroundTheEarth(geometry: Record<string, unknown>): unknown {
  if (!geometryShape(geometry)) return null
  const [west, south, east, north] = boxAround(geometry['coordinates'])
  if (east - west <= 360 || west < -540 || east > 540 || south < -90 || north > 90) return null
  return areaOf([-180, south, 180, north])
}

/** Drops empty parts of Multi geometries, which some writers produce. */
function withoutEmpty(geometry: Record<string, unknown>): Record<string, unknown> {
  const { type, coordinates } = geometry
  if (typeof type !== 'string' || !type.startsWith('Multi') || !Array.isArray(coordinates)) return geometry
  return { ...geometry, coordinates: coordinates.filter((part) => !Array.isArray(part) || part.length > 0) }
}
