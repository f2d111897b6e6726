import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { boundsToRing } from '@swath/geo/bbox.ts'
import type { MultiPolygon, Polygon } from '@swath/geo/geojson.ts'
import { computeSignedPlanarArea } from '@swath/geo/signed-area.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { Crs, Raster } from '../../types.ts'
import { computeEdgeInDegrees, computeLonLatExtent, findEnclosedPole, isPole, isWholeTurn } from './extent.ts'
import type { Degrees, LonLatExtent } from './extent.ts'
import { requireGeoreferenced } from './require-georeferenced.ts'
import { createCrsTransform } from './transform.ts'
import type { Position } from './transform.ts'
import { unwrapLongitudeNear } from './longitude-wrap.ts'

/**
 * The bounds of a raster in degrees (WGS 84): west, south, east, north. West is greater than east if the raster crosses the
 * 180° meridian. Fails with `no_georeference` if the raster is not georeferenced.
 */
export function computeLonLatBounds(raster: Raster): Bounds {
  requireGeoreferenced(raster)
  const { west, south, east, north } = computeLonLatExtent(raster)
  if (isWholeTurn({ west, east })) return [-180, south, 180, north]
  // A box that begins at the meridian has it as west (-180), one that ends there as east (180).
  return [west - 360 * Math.floor((west + 180) / 360), south, east - 360 * Math.ceil((east - 180) / 360), north]
}

/** Around a pole the edge turns through all longitudes: more points follow it. */
const points_per_side_around_pole = 32

/**
 * The outline of a raster in degrees (WGS 84), with `pointsPerSide` points a side so that curved edges are followed; the
 * first ring runs counterclockwise. Across the 180° meridian it is cut in two, as RFC 7946 asks. Around a pole it lies between
 * the edge and the pole.
 */
export function computeRasterFootprint(raster: Raster, pointsPerSide = 8): Polygon | MultiPolygon {
  requireGeoreferenced(raster)
  const extent = computeLonLatExtent(raster)
  return splitPolygonAtAntimeridian({ type: 'Polygon', coordinates: [ccw(outlineOf(raster, extent, pointsPerSide))] })
}

function outlineOf(raster: Raster, extent: LonLatExtent, pointsPerSide: number): [number, number][] {
  const { west, south, east, north, reachesHorizon } = extent
  const edge = computeEdgeInDegrees(raster, pointsPerSide)
  // Where the edge lies in space, the box is all that can be said.
  if (!reachesHorizon && edge.length === 4 * pointsPerSide + 1) {
    const pole = findEnclosedPole(raster, edge)
    if (pole !== null) return ringAroundPole(computeEdgeInDegrees(raster, points_per_side_around_pole), pole)
    if (!isWholeTurn(extent)) return unwrapRing(edge, (west + east) / 2)
  }
  return isWholeTurn(extent) ? boundsToRing([-180, south, 180, north]) : boundsToRing([west, south, east, north])
}

/** A position of a reference system in degrees of longitude and latitude (WGS 84); NaN outside its domain. */
export function crsToLonLat(crs: Crs, x: number, y: number): Position {
  return createCrsTransform(crs).inverse(x, y)
}

/** A position in degrees (WGS 84) in the units of a reference system; NaN outside its domain. */
export function lonLatToCrs(crs: Crs, longitude: number, latitude: number): Position {
  return createCrsTransform(crs).forward(longitude, latitude)
}

/** Through a pole the ring goes up the meridian by which it comes, along the pole, and down the one by which it leaves. */
function unwrapRing(edge: readonly Degrees[], middle: number): [number, number][] {
  const away = edge.findIndex((point) => !isPole(point))
  const open = [...edge.slice(away, -1), ...edge.slice(0, away)]
  let last = unwrapLongitudeNear(middle, open[0]![0])
  const ring = open.flatMap((point, at): [number, number][] => {
    const [longitude, latitude] = point
    if (!isPole(point)) {
      last = unwrapLongitudeNear(last, longitude)
      return [[last, latitude]]
    }
    const next = open.slice(at + 1).find((other) => !isPole(other)) ?? open[0]!
    const before = last
    last = unwrapLongitudeNear(middle, next[0])
    return [
      [before, latitude],
      [(before + last) / 2, latitude],
      [last, latitude],
    ]
  })
  return [...ring, ring[0]!]
}

/** The part between an edge that goes once around the earth, and the pole. */
function ringAroundPole(edge: readonly Degrees[], pole: 1 | -1): [number, number][] {
  let last = edge[0]![0]
  const turned = edge.map(([longitude, latitude]): [number, number] => {
    last = unwrapLongitudeNear(last, longitude)
    return [last, latitude]
  })
  const eastward = turned.at(-1)![0] > turned[0]![0] ? turned : turned.toReversed()
  // From the 180° meridian on, so that the ring needs no cut.
  const seam = 360 * Math.floor((eastward[0]![0] + 180) / 360) + 180
  const at = eastward.findIndex(([longitude]) => longitude >= seam)
  const [[x0, y0], [x1, y1]] = [eastward[at - 1]!, eastward[at]!]
  const latitude = x1 === x0 ? y1 : y0 + ((y1 - y0) * (seam - x0)) / (x1 - x0)
  const east = eastward.slice(at, -1).map(([x, y]): [number, number] => [x - seam - 180, y])
  const west = eastward.slice(0, at).map(([x, y]): [number, number] => [x - seam + 180, y])
  return [[-180, latitude], ...east, ...west, [180, latitude], [180, 90 * pole], [-180, 90 * pole], [-180, latitude]]
}

const ccw = (ring: [number, number][]): [number, number][] =>
  computeSignedPlanarArea(ring) < 0 ? ring.toReversed() : ring
