import { applyAffine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import type { Crs, Raster } from '../../types.ts'
import { createCrsTransform } from './transform.ts'

/** The extent of a raster in degrees; east may pass 180, so that east is never less than west. */
export interface LonLatExtent {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** True where part of the edge has no place on the earth: the box, found from points inside, is a little too small. */
  readonly reachesHorizon: boolean
}

type Degrees = readonly [longitude: number, latitude: number]

const points_per_side = 64
const inner_points_per_side = 160
/** By grid rather than by raster: one grid serves every copy of the plain values. */
const known = new WeakMap<Raster['affine'], { readonly crs: Crs; readonly extent: LonLatExtent }>()

/**
 * The extent of a raster in longitude and latitude, from 64 points a side of its edge, so that curved edges count.
 * `no_georeference` where the raster has no place on the earth.
 */
export function computeLonLatExtent(raster: Raster): LonLatExtent {
  const remembered = known.get(raster.affine)
  if (remembered?.crs === raster.crs) return remembered.extent
  const extent = measureExtent(raster)
  known.set(raster.affine, { crs: raster.crs, extent })
  return extent
}

function measureExtent(raster: Raster): LonLatExtent {
  const edge = computeEdgeInDegrees(raster, points_per_side)
  // An image of the whole disc of the earth has its edge in space: then the points inside must do.
  if (edge.length < 4 * points_per_side)
    return { ...boxOf(raster, [...edge, ...innerDegrees(raster)]), reachesHorizon: true }
  const box = boxOf(raster, edge)
  const pole = poleInside(edge)
  if (pole === null) return box
  return { ...box, west: -180, east: 180, south: pole < 0 ? -90 : box.south, north: pole > 0 ? 90 : box.north }
}

function boxOf(raster: Raster, points: readonly Degrees[]): LonLatExtent {
  if (points.length === 0) {
    throw new RasterFailure('no_georeference', 'no pixel of the file has a place on the earth')
  }
  const middle = middleLongitude(raster, points)
  const longitudes = points.map(([longitude]) => unwrapLongitudeNear(middle, longitude))
  const latitudes = points.map(([, latitude]) => latitude)
  const west = least(longitudes)
  const east = most(longitudes)
  const shift = raster.crs.geographic ? 0 : 360 * Math.floor((west + 180) / 360)
  return {
    west: west - shift,
    east: east - shift,
    south: least(latitudes),
    north: most(latitudes),
    reachesHorizon: false,
  }
}

// Too many for the arguments of one call.
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b))
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b))
}

// A grid in degrees counts on beyond 180 as it likes; of any other, the middle says which turn of the earth is meant.
function middleLongitude(raster: Raster, points: readonly Degrees[]): number {
  const [x, y] = applyAffine(raster.affine, raster.width / 2, raster.height / 2)
  if (raster.crs.geographic) return x
  const [longitude] = createCrsTransform(raster.crs).inverse(x, y)
  return Number.isFinite(longitude) ? longitude : points[0]![0]
}

// An edge that goes once around without coming back to the longitude it began with goes around a pole: +1 north, -1 south.
function poleInside(edge: readonly Degrees[]): number | null {
  let longitude = edge[0]![0]
  for (const [next] of edge) longitude = unwrapLongitudeNear(longitude, next)
  if (Math.abs(longitude - edge[0]![0]) < 180) return null
  return edge.reduce((sum, [, latitude]) => sum + latitude, 0) > 0 ? 1 : -1
}

/**
 * The edge of a raster in degrees, closed, counterclockwise on an upright grid: down the left, along the bottom, up the
 * right, back along the top. Points without a place on the earth are left out.
 */
export function computeEdgeInDegrees(raster: Raster, pointsPerSide: number): Degrees[] {
  const { width, height } = raster
  const corners: Degrees[] = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
    [0, 0],
  ]
  const points = corners.slice(0, 4).flatMap(([x0, y0], side) => {
    const [x1, y1] = corners[side + 1]!
    return Array.from({ length: pointsPerSide }, (_, step): Degrees => {
      const part = step / pointsPerSide
      return [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part]
    })
  })
  return toDegrees(raster, [...points, [0, 0]])
}

function innerDegrees(raster: Raster): Degrees[] {
  const steps = Array.from({ length: inner_points_per_side + 1 }, (_, step) => step / inner_points_per_side)
  return toDegrees(
    raster,
    steps.flatMap((down) => steps.map((right): Degrees => [right * raster.width, down * raster.height])),
  )
}

function toDegrees(raster: Raster, pixels: readonly Degrees[]): Degrees[] {
  const { inverse } = createCrsTransform(raster.crs)
  return pixels
    .map(([column, row]) => inverse(...applyAffine(raster.affine, column, row)))
    .filter(([longitude, latitude]) => Number.isFinite(longitude) && Number.isFinite(latitude))
}

/**
 * Turns a longitude by whole circles until it is within half a circle of another. One that is there already, to the hair,
 * stays: both ends of a map of the world are half a circle from its middle.
 */
export function unwrapLongitudeNear(other: number, longitude: number): number {
  const turns = (other - longitude) / 360
  return Math.abs(turns) <= 0.5 + 1e-9 ? longitude : longitude + 360 * Math.round(turns)
}
