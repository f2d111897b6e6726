import { applyAffine, scaleAffine } from '@swath/geo/affine.ts'
import { listPolygonRings } from '@swath/geo/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { unitePolygonParts } from '@swath/geo/polygon-union.ts'
import { TooManyEdgesError } from '@swath/geo/slabs.ts'
import { requireGeoreferenced, requireInverseAffine } from '../../formats/crs/require-georeferenced.ts'
import { computeLonLatExtent } from '../../formats/crs/extent.ts'
import { createDegreesToGridCrs } from '../../formats/crs/longitude-wrap.ts'
import { RasterFailure } from '../../failures.ts'
import type { RasterLevel, Raster } from '../../types.ts'
import { clipRingToBox, computeRingExtent } from './clip-ring.ts'
import type { LonLatBox, FlatRing } from './clip-ring.ts'
import { densifyRingToPixels } from './densify-ring.ts'
import type { CoordinatesToPixels } from './local-projection.ts'

/** A ring of an area: in its own coordinates, or in pixels of a level, where corners of pixels are whole numbers. */
export interface OutlineRing {
  readonly points: FlatRing
  readonly isHole: boolean
}

/** The unit of an area's coordinates: longitude and latitude, or units of the raster's own reference system. */
export type AreaCoordinates = 'degrees' | 'raster'

/** Margin around the raster, as a part of its extent, because only some points of its curved edges are projected. */
const margin_fraction = 0.005
export const longitudeShifts_deg = [-720, -360, 0, 360, 720]

/**
 * The rings of an area in pixels of a level, as far as they matter to it. Lines that are straight in degrees bend on the
 * raster's grid: they are followed to a small part of a pixel. Areas across the 180° meridian may be cut there or run on beyond
 * it. Failures: `no_georeference`.
 *
 * @param rings those of the area, in its coordinates (`toOutlineRings`).
 */
export function projectOutlineToPixels(
  raster: Raster,
  level: RasterLevel,
  rings: readonly OutlineRing[],
  coordinates: AreaCoordinates,
): OutlineRing[] {
  if (coordinates === 'raster') {
    const toGrid = createCrsToLevelPixels(raster, level)
    return rings.map((ring) => ({ ...ring, points: mapPoints(ring.points, toGrid) }))
  }
  const toPixels = extendToPoles(raster, createDegreesToLevelPixels(raster, level))
  const box = reachOf(raster, level, toPixels)
  return rings.flatMap((ring) => {
    const extent = computeRingExtent(ring.points)
    return longitudeShifts_deg
      .flatMap((turn) => clipShiftedRing(ring, extent, turn, box))
      .map(({ points, isHole }) => ({
        points: densifyRingToPixels(points, toPixels),
        isHole,
      }))
  })
}

/** The part in a box of a ring with this extent, moved by some degrees; nothing where there is none. */
export function clipShiftedRing(
  { points, isHole }: OutlineRing,
  extent: LonLatBox,
  turn: number,
  box: LonLatBox,
): OutlineRing[] {
  if (isBeside(extent, turn, box)) return []
  const turned = turnRing(points, turn)
  const clipped = isWithin(extent, turn, box) ? turned : clipRingToBox(turned, box)
  return clipped.length < 6 || computeSignedRingArea(clipped) === 0 ? [] : [{ points: clipped, isHole }]
}

/** True if a ring, moved by some degrees, does not reach a box. */
const isBeside = ({ west, south, east, north }: LonLatBox, turn: number, box: LonLatBox): boolean =>
  west + turn > box.east || east + turn < box.west || south > box.north || north < box.south

/** True if nothing of a ring, moved by some degrees, lies outside of a box. */
const isWithin = ({ west, south, east, north }: LonLatBox, turn: number, box: LonLatBox): boolean =>
  west + turn >= box.west && east + turn <= box.east && south >= box.south && north <= box.north

/**
 * The rings of an area in its own coordinates. As flat numbers they reach another thread in a fraction of the time of
 * nested lists. Polygons of one area that overlap are united. Failures: `request` for a geometry other than polygons.
 */
export function toOutlineRings(area: AreaGeometry): OutlineRing[] {
  const isArea = area.type === 'Polygon' || area.type === 'MultiPolygon'
  const isSound =
    isArea &&
    listPolygonRings(area).every((rings) =>
      rings.every((ring) => ring.length >= 4 && ring.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))),
    )
  if (!isSound) throw new RasterFailure('request', 'an area is a Polygon or MultiPolygon whose coordinates are numbers')
  return listPolygonRings(uniteParts(area)).flatMap((polygon) =>
    polygon.map((ring, at) => ({ points: flatRing(ring), isHole: at > 0 })),
  )
}

function uniteParts(area: AreaGeometry): AreaGeometry {
  try {
    return unitePolygonParts(area)
  } catch (cause) {
    if (!(cause instanceof TooManyEdgesError)) throw cause
    throw new RasterFailure('request', 'the polygons of the area overlap too often: send polygons that do not', {
      cause,
    })
  }
}

/** The positions of a closed ring one behind the other, without the repeated one. */
function flatRing(ring: readonly (readonly number[])[]): FlatRing {
  const points = new Float64Array(2 * (ring.length - 1))
  for (let at = 0; at < ring.length - 1; at++) {
    points[2 * at] = ring[at]![0]!
    points[2 * at + 1] = ring[at]![1]!
  }
  return points
}

/** Pixels of a level from a place in the reference system of the raster. */
export function createCrsToLevelPixels(raster: Raster, level: RasterLevel): CoordinatesToPixels {
  const grid = scaleAffine(raster.affine, raster.width / level.width, raster.height / level.height)
  const inverse = requireInverseAffine(grid)
  return (x, y) => applyAffine(inverse, x, y)
}

/**
 * Pixels of a level from longitude and latitude, NaN where a place has no position in the reference system. On a grid in degrees
 * longitudes count on as they do in the area, unlike those of `createDegreesToPixel`, which are brought near the raster.
 */
export function createDegreesToLevelPixels(raster: Raster, level: RasterLevel): CoordinatesToPixels {
  requireGeoreferenced(raster)
  const toCrs = createDegreesToGridCrs(raster)
  const toGrid = createCrsToLevelPixels(raster, level)
  return (longitude, latitude) => toGrid(...toCrs(longitude, latitude))
}

/** An area that ends at a pole ends where the pixels of the pole do, which may reach half their height beyond it. */
function extendToPoles({ crs, affine, height }: Raster, toPixels: CoordinatesToPixels): CoordinatesToPixels {
  if (!crs.geographic || affine[4] !== 0) return toPixels
  const ends = [affine[3], affine[3] + height * affine[5]]
  const [south, north] = [Math.min(...ends), Math.max(...ends)]
  if (south >= -90 && north <= 90) return toPixels
  return (longitude, latitude) =>
    toPixels(longitude, latitude >= 90 ? Math.max(90, north) : latitude <= -90 ? Math.min(-90, south) : latitude)
}

function turnRing(points: FlatRing, turn: number): FlatRing {
  if (turn === 0) return points
  const turned = Float64Array.from(points)
  for (let at = 0; at < turned.length; at += 2) turned[at]! += turn
  return turned
}

function mapPoints(points: FlatRing, map: CoordinatesToPixels): FlatRing {
  const mapped: number[] = []
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = map(points[at]!, points[at + 1]!)
    mapped.push(x, y)
  }
  return mapped
}

/** The box of degrees outside of which nothing matters to the raster: at most once around the earth. */
function reachOf(raster: Raster, level: RasterLevel, toPixels: CoordinatesToPixels): LonLatBox {
  const { west, south, east, north, reachesHorizon } = computeLonLatExtent(raster)
  if (reachesHorizon) {
    const middle = (west + east) / 2
    return { west: middle - 180, south: -90, east: middle + 180, north: 90 }
  }
  const across = (east - west) * margin_fraction
  const up = (north - south) * margin_fraction
  const latitude = (south + north) / 2
  const isWhole = east - west + 2 * across >= 360
  const reach = (side: number, step: number): number =>
    isWhole || tearsAt(side, step, latitude, level, toPixels) ? side : side + step
  return {
    west: reach(west, -across),
    south: Math.max(-90, south - up),
    east: reach(east, across),
    north: Math.min(90, north + up),
  }
}

// A map of the world ends at some meridian: beyond it, places lie at the other end.
function tearsAt(
  side: number,
  step: number,
  latitude: number,
  level: RasterLevel,
  toPixels: CoordinatesToPixels,
): boolean {
  const [x0, y0] = toPixels(side - step, latitude)
  const [x1, y1] = toPixels(side + step, latitude)
  return !(Math.hypot(x1 - x0, y1 - y0) <= level.width + level.height)
}

/** The area of all rings in pixels: outer ones less holes. */
export function computeRingAreaInPixels(rings: readonly OutlineRing[]): number {
  return rings.reduce((sum, { points, isHole }) => sum + Math.abs(computeSignedRingArea(points)) * (isHole ? -1 : 1), 0)
}

/** Positive where a ring runs clockwise on a grid whose rows run down. */
export function computeSignedRingArea(points: FlatRing): number {
  let doubled = 0
  // Counted from the first point, so that large coordinates do not cost digits.
  const [x0, y0] = [points[0]!, points[1]!]
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    doubled += (points[at]! - x0) * (points[next + 1]! - y0) - (points[next]! - x0) * (points[at + 1]! - y0)
  }
  return doubled / 2
}
