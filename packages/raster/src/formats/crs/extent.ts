import { applyAffine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import type { Crs, Raster } from '../../types.ts'
import { createCrsTransform } from './transform.ts'
import { createDegreesToGridCrs, findLongitudeCount, unwrapLongitudeNear } from './longitude-wrap.ts'
import { requireInverseAffine } from './require-georeferenced.ts'

/** The extent of a raster in degrees; east may pass 180, so that east is never less than west. */
export interface LonLatExtent {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** True where part of the edge has no place on the earth: the box, found from points inside, is a little too small. */
  readonly reachesHorizon: boolean
}

export type Degrees = readonly [longitude: number, latitude: number]

const points_per_side = 64
const inner_points_per_side = 160
/** What rounding adds to a turn, in degrees. */
const negligible_degrees = 1e-6
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

/** True for an extent that reaches once around the earth. */
export const isWholeTurn = ({ west, east }: Pick<LonLatExtent, 'west' | 'east'>): boolean =>
  east - west >= 360 - negligible_degrees

function measureExtent(raster: Raster): LonLatExtent {
  const edge = computeEdgeInDegrees(raster, points_per_side)
  // An image of the whole disc of the earth has its edge in space: then the points inside must do.
  if (edge.length < 4 * points_per_side)
    return { ...boxOf(raster, [...edge, ...innerDegrees(raster)]), reachesHorizon: true }
  const box = boxOf(raster, edge)
  const pole = findEnclosedPole(raster, edge)
  if (pole === null) return box
  return { ...box, west: -180, east: 180, south: pole < 0 ? -90 : box.south, north: pole > 0 ? 90 : box.north }
}

function boxOf(raster: Raster, points: readonly Degrees[]): LonLatExtent {
  if (points.length === 0) {
    throw new RasterFailure(
      'no_georeference',
      'no pixel of the file has a place on the earth; its reference system or its place is not the right one',
    )
  }
  const longitudes = longitudesOf(raster, points)
  const latitudes = points.map(([, latitude]) => latitude)
  const west = least(longitudes)
  const east = most(longitudes)
  const shift = raster.crs.geographic ? 0 : 360 * Math.floor((west + 180 + negligible_degrees) / 360)
  return {
    west: west - shift,
    east: east - shift,
    south: least(latitudes),
    north: most(latitudes),
    reachesHorizon: false,
  }
}

function longitudesOf(raster: Raster, points: readonly Degrees[]): number[] {
  // Counted from the first column on: a grid may hold one meridian twice.
  if (findLongitudeCount(raster.crs)) return points.map(([longitude]) => longitude)
  const middle = middleLongitude(raster, points)
  const away = points.filter((point) => !isPole(point))
  return (away.length > 0 ? away : points).map(([longitude]) => unwrapLongitudeNear(middle, longitude))
}

// Too many for the arguments of one call.
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b))
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b))
}

// The middle says which turn of the earth is meant.
function middleLongitude(raster: Raster, points: readonly Degrees[]): number {
  const [x, y] = applyAffine(raster.affine, raster.width / 2, raster.height / 2)
  const [longitude] = createCrsTransform(raster.crs).inverse(x, y)
  return Number.isFinite(longitude) ? longitude : points[0]![0]
}

/** At a pole every longitude is as right as any other. */
export const isPole = ([, latitude]: Degrees): boolean => Math.abs(latitude) > 90 - 1e-7

/**
 * The pole that an edge goes around: +1 north, -1 south, null for none. Such an edge goes once around the earth without coming
 * back to the longitude it began with. One through the pole does not go around it.
 */
export function findEnclosedPole(raster: Raster, edge: readonly Degrees[]): 1 | -1 | null {
  if (findLongitudeCount(raster.crs) || edge.some(isPole)) return null
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
  const place = createPixelToDegrees(raster)
  return pixels
    .map(([column, row]) => place(column, row))
    .filter(([longitude, latitude]) => Number.isFinite(longitude) && Number.isFinite(latitude))
}

/**
 * Degrees of a place on a raster, NaN where it has none. Where x counts longitude, the longitudes of a grid count on beyond
 * 180 as its columns do. The outer pixels of many grids of the whole earth reach half their height beyond the poles: such
 * places are at the pole.
 */
export function createPixelToDegrees(raster: Raster): (column: number, row: number) => Degrees {
  const { inverse } = createCrsTransform(raster.crs)
  const count = findLongitudeCount(raster.crs)
  const overshoot = raster.crs.geographic ? findPolarOvershoot(raster) : 0
  return (column, row) => {
    const [x, y] = applyAffine(raster.affine, column, row)
    const [longitude, latitude] = inverse(x, y)
    const counted = count
      ? unwrapLongitudeNear(count.longitude + ((x - count.middle) * 360) / count.turn, longitude)
      : longitude
    const isBeyond = Math.abs(latitude) > 90 && Math.abs(latitude) - 90 <= overshoot
    return [counted, isBeyond ? Math.sign(latitude) * 90 : latitude]
  }
}

/** Degrees; a hair more than 180, for what rounding adds. */
const half_turn_degrees = 180 + 1e-9

/**
 * Converts longitude and latitude to pixels of a raster; NaN where the projection has no answer. A grid in degrees may count on beyond 180; a projection wants
 * the usual range. Exactly half a turn away a place is on both edges of a whole world, and stays on its own.
 *
 * @throws RasterFailure `no_georeference` for pixels without a size.
 */
export function createDegreesToPixel(
  raster: Raster,
): (longitude: number, latitude: number) => [column: number, row: number] {
  const toCrs = createDegreesToGridCrs(raster)
  const inverse = requireInverseAffine(raster.affine)
  const { west, east } = computeLonLatExtent(raster)
  const middle = (west + east) / 2
  return (longitude, latitude) => {
    const away = raster.crs.geographic ? middle - longitude : 0
    const turned = Math.abs(away) > half_turn_degrees ? longitude + 360 * Math.round(away / 360) : longitude
    return applyAffine(inverse, ...toCrs(turned, latitude))
  }
}

/** How far a grid in degrees may reach beyond a pole: one pixel. */
const findPolarOvershoot = ({ affine }: Raster): number => (Math.abs(affine[4]) + Math.abs(affine[5])) * (1 + 1e-6)
