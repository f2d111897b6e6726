import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { boundsToRing } from '@swath/geo/bbox.ts'
import type { MultiPolygon, Polygon } from '@swath/geo/geojson.ts'
import { computeSignedPlanarArea } from '@swath/geo/signed-area.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { Crs, Raster } from '../../types.ts'
import { computeEdgeInDegrees, computeLonLatExtent, unwrapLongitudeNear } from './extent.ts'
import { requireGeoreferenced } from './require-georeferenced.ts'
import { createCrsTransform } from './transform.ts'
import type { Position } from './transform.ts'

/**
 * The bounds of a raster in degrees (WGS 84): west, south, east, north. West is greater than east if the raster crosses the
 * 180° meridian. Fails with `no_georeference` if the raster is not georeferenced.
 */
export function computeLonLatBounds(raster: Raster): Bounds {
  requireGeoreferenced(raster)
  const { west, south, east, north } = computeLonLatExtent(raster)
  if (east - west >= 360) return [-180, south, 180, north]
  // A box that begins at the meridian has it as west (-180), one that ends there as east (180).
  return [west - 360 * Math.floor((west + 180) / 360), south, east - 360 * Math.ceil((east - 180) / 360), north]
}

/**
 * The outline of a raster in degrees (WGS 84), with `pointsPerSide` points a side so that curved edges are followed; the
 * first ring runs counterclockwise. Across the 180° meridian it is cut in two, as RFC 7946 asks.
 */
export function computeRasterFootprint(raster: Raster, pointsPerSide = 8): Polygon | MultiPolygon {
  requireGeoreferenced(raster)
  const edge = computeEdgeInDegrees(raster, pointsPerSide)
  const { west, south, east, north } = computeLonLatExtent(raster)
  // Around a pole, or where the edge lies in space, the outline has no inside on a flat map: the box is all that can be said.
  const isWhole = edge.length === 4 * pointsPerSide + 1 && east - west < 360
  const ring = isWhole ? unwrapRing(edge, (west + east) / 2) : boundsToRing([west, south, east, north])
  return splitPolygonAtAntimeridian({ type: 'Polygon', coordinates: [ccw(ring)] })
}

/** A position of a reference system in degrees of longitude and latitude (WGS 84); NaN outside its domain. */
export function crsToLonLat(crs: Crs, x: number, y: number): Position {
  return createCrsTransform(crs).inverse(x, y)
}

/** A position in degrees (WGS 84) in the units of a reference system; NaN outside its domain. */
export function lonLatToCrs(crs: Crs, longitude: number, latitude: number): Position {
  return createCrsTransform(crs).forward(longitude, latitude)
}

function unwrapRing(edge: readonly (readonly [number, number])[], middle: number): [number, number][] {
  let last = unwrapLongitudeNear(middle, edge[0]![0])
  return edge.map(([longitude, latitude]): [number, number] => {
    last = unwrapLongitudeNear(last, longitude)
    return [last, latitude]
  })
}

const ccw = (ring: [number, number][]): [number, number][] =>
  computeSignedPlanarArea(ring) < 0 ? ring.toReversed() : ring
