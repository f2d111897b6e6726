import { web_mercator_extent_m } from '@swath/geo/web-mercator.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import type { Affine } from '@swath/geo/affine.ts'
import type { Crs } from '../../types.ts'
import { readProj4Number } from './proj4-number.ts'
import { createCrsTransform } from './transform.ts'
import type { Position } from './transform.ts'

/** How the x of a reference system counts longitude: its length of a whole turn, and the longitude of one of its places. */
export interface LongitudeCount {
  readonly turn: number
  /** The middle of the usual range, which reaches half a turn to either side, and its longitude. */
  readonly middle: number
  readonly longitude: number
}

/** Projections whose x grows with longitude alone. */
const cylindrical = /^\+proj=(?:merc|eqc|cea|mill)\b/
const degrees_per_turn = 360
const webMercatorCount: LongitudeCount = { turn: 2 * web_mercator_extent_m, middle: 0, longitude: 0 }
const degreesCount: LongitudeCount = { turn: degrees_per_turn, middle: 0, longitude: 0 }

/** Null for a system in which x says more, or less, than longitude. */
export function findLongitudeCount(crs: Crs): LongitudeCount | null {
  if (crs.geographic) return degreesCount
  if (crs.epsg === 3857) return webMercatorCount
  if (crs.proj4 === null || !cylindrical.test(crs.proj4)) return null
  const { forward } = createCrsTransform(crs)
  const longitude = (readProj4Number(crs.proj4, 'lon_0') ?? 0) + (readProj4Number(crs.proj4, 'pm') ?? 0)
  const [middle] = forward(longitude, 0)
  const [east] = forward(longitude + degrees_per_turn / 4, 0)
  const turn = 4 * (east - middle)
  return turn > 0 ? { turn, middle, longitude } : null
}

/**
 * Turns a longitude, or an x that counts it, by whole turns until it is within half a turn of another. One that is there
 * already, to the hair, stays: both ends of a map of the world are half a turn from its middle.
 */
export function unwrapNear(other: number, value: number, turn: number): number {
  const turns = (other - value) / turn
  return Math.abs(turns) <= 0.5 + 1e-9 ? value : value + turn * Math.round(turns)
}

/** The same in degrees. */
export const unwrapLongitudeNear = (other: number, longitude: number): number =>
  unwrapNear(other, longitude, degrees_per_turn)

/** Of a grid of whole pixels in a reference system. */
export interface GridFrame {
  readonly crs: Crs
  readonly affine: Affine
  readonly width: number
  readonly height: number
}

/** The range of x of a grid. */
function computeXRange({ affine, width, height }: GridFrame): readonly [least: number, most: number] {
  const xs = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([column, row]) => applyAffine(affine, column!, row!)[0])
  return [Math.min(...xs), Math.max(...xs)]
}

/** A part of a turn that does not count: what rounding adds. */
const negligible_turns = 1e-9

/**
 * Puts an x that a projection gives, which is always in its usual range, where a grid counts it that runs on beyond the edge
 * of the map. Null for all other grids, where there is nothing to turn.
 */
function createXUnwrapper(grid: GridFrame): ((x: number) => number) | null {
  const count = findLongitudeCount(grid.crs)
  if (!count) return null
  const [least, most] = computeXRange(grid)
  const reach = count.turn * (0.5 + negligible_turns)
  if (least >= count.middle - reach && most <= count.middle + reach) return null
  const middle = (least + most) / 2
  return (x) => unwrapNear(middle, x, count.turn)
}

/**
 * Converts longitude and latitude to coordinates in the reference system of a grid; NaN where the projection has no answer. Datum shifts and projections
 * answer the usual range of x; where the grid counts on beyond it, so does the answer. Of a geographic system that is where the
 * longitude itself counts.
 */
export function createDegreesToGridCrs(grid: GridFrame): (longitude: number, latitude: number) => Position {
  const { forward } = createCrsTransform(grid.crs)
  if (grid.crs.geographic)
    return (longitude, latitude) => {
      const [x, y] = forward(longitude, latitude)
      return [unwrapLongitudeNear(longitude, x), y]
    }
  const unwrapX = createXUnwrapper(grid)
  if (!unwrapX) return forward
  return (longitude, latitude) => {
    const [x, y] = forward(longitude, latitude)
    return [unwrapX(x), y]
  }
}
