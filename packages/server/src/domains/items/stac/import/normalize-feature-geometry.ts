import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { boxToPolygon } from '../../item-input.ts'
import { normalizeFootprint } from '../../normalize-footprint.ts'
import { isObject } from './document.ts'
import { isGeoJsonGeometry } from './geojson-geometry.ts'

/**
 * Normalizes the geometry of a Feature to ±180 degrees: one that crosses the antimeridian is split; one that spans more than
 * 360 degrees covers all longitudes. Null without a geometry: STAC does not allow a bbox then.
 */
export function normalizeFeatureGeometry(geometry: unknown, bbox: unknown): unknown {
  if (geometry === null || geometry === undefined) return null
  if (!isObject(geometry)) return geometry
  const nonEmptyGeometry = dropEmptyParts(geometry)
  return globalGeometry(nonEmptyGeometry) ?? normalizeFootprint(nonEmptyGeometry, Array.isArray(bbox) ? bbox : null)
}

/** All longitudes between the latitudes of a geometry that spans more than 360 degrees; null for other geometries. */
function globalGeometry(geometry: Record<string, unknown>): unknown {
  if (!isGeoJsonGeometry(geometry)) return null
  const [west, south, east, north] = coordinateExtent(geometry['coordinates'])
  if (east - west <= 360 || west < -540 || east > 540 || south < -90 || north > 90) return null
  return boxToPolygon([-180, south, 180, north])
}

/** Drops empty parts of Multi geometries, which some writers produce. */
function dropEmptyParts(geometry: Record<string, unknown>): Record<string, unknown> {
  const { type, coordinates } = geometry
  if (typeof type !== 'string' || !type.startsWith('Multi') || !Array.isArray(coordinates)) return geometry
  return { ...geometry, coordinates: coordinates.filter((part) => !Array.isArray(part) || part.length > 0) }
}
