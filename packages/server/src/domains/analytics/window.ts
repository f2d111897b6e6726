import { applyAffine, invertAffine } from '@swath/geo/affine.ts'
import { lonLatToCrs, crsToLonLat, type Raster } from '@swath/raster'
import { Problem, validationProblem } from '../../engine/problem.ts'

/** A box in WGS 84 degrees. */
export interface DegreeBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Pixels of a raster: left, top, right, bottom. */
export type PixelWindow = readonly [x0: number, y0: number, x1: number, y1: number]

/** Positions along each side of a box: its sides bend in other reference systems. */
const points_per_side = 20

type Point = readonly [x: number, y: number]

/** Points along the sides of a rectangle. */
function alongSides(left: number, bottom: number, right: number, top: number): Point[] {
  return Array.from({ length: points_per_side + 1 }, (_, at) => at / points_per_side).flatMap((part): Point[] => {
    const x = left + (right - left) * part
    const y = bottom + (top - bottom) * part
    return [
      [x, bottom],
      [x, top],
      [left, y],
      [right, y],
    ]
  })
}

function extentOf(points: readonly Point[]): [left: number, bottom: number, right: number, top: number] {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/**
 * All pixels that a box reaches. Throws `validation` of `bbox` for a box without area or outside of the raster, and
 * `unsupported-raster` for a raster without a place on the earth.
 */
export function findWindowOfBox(raster: Raster, { west, south, east, north }: DegreeBox): PixelWindow {
  if (!(west < east && south < north))
    throw validationProblem([{ path: 'bbox', message: 'must have west below east and south below north' }])
  const toPixels = raster.georeferenced ? invertAffine(raster.affine) : null
  if (!toPixels || raster.crs.proj4 === null)
    throw new Problem('unsupported-raster', 'The raster is not georeferenced, so a box in degrees has no place in it.')
  const points = alongSides(west, south, east, north)
    .map(([lon, lat]) => applyAffine(toPixels, ...lonLatToCrs(raster.crs, lon, lat)))
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
  const [left, top, right, bottom] = points.length > 0 ? extentOf(points) : [0, 0, 0, 0]
  const window: PixelWindow = [
    Math.max(0, Math.floor(left + rounding_pixels)),
    Math.max(0, Math.floor(top + rounding_pixels)),
    Math.min(raster.width, Math.ceil(right - rounding_pixels)),
    Math.min(raster.height, Math.ceil(bottom - rounding_pixels)),
  ]
  if (window[0] < window[2] && window[1] < window[3]) return window
  throw validationProblem([{ path: 'bbox', message: 'does not reach the raster' }])
}

/** A box that ends at the edge of a pixel does not reach the next one, whatever the projection rounds. */
const rounding_pixels = 1e-6

/** West, south, east and north of the pixels of a window. */
export function computeWindowBounds({ affine, crs }: Raster, [x0, y0, x1, y1]: PixelWindow): number[] {
  return extentOf(alongSides(x0, y1, x1, y0).map(([x, y]) => crsToLonLat(crs, ...applyAffine(affine, x, y)) as Point))
}

/** The size of the image of a window: no side is longer than the maximum, nor than the window. */
export function fitWindowImageSize([x0, y0, x1, y1]: PixelWindow, max_size: number): { width: number; height: number } {
  const [columns, rows] = [x1 - x0, y1 - y0]
  const scale = Math.min(1, max_size / Math.max(columns, rows))
  return { width: Math.max(1, Math.round(columns * scale)), height: Math.max(1, Math.round(rows * scale)) }
}
