import { RasterFailure } from '../../failures.ts'
import type { PositionGrid } from '../../compute/kernels/types.ts'
import { computeWindowCost } from '../../compute/window/window.ts'
import type { Window } from '../../compute/window/window.ts'
import type { RasterLevel, Raster, Resampling } from '../../types.ts'
import type { PixelRectangle } from './mercator-to-pixel.ts'
import { buildApproximationGrid, translatePositionGrid, findPositionBounds } from './approximation-grid.ts'
import type { ExactTransform, PositionBounds } from './approximation-grid.ts'

/** The window to read for a part of an image, and where its pixels fall in it. Plain data, no pixels. */
export interface WarpPlan {
  readonly part: PixelRectangle
  readonly level: RasterLevel
  readonly window: Window
  /** In pixels of the window. */
  readonly net: PositionGrid
  readonly resampling: Resampling
  readonly scale: readonly [x: number, y: number]
  /** The cells of the target, each with its own scale, if the scale differs between cells. The grid then has every position. */
  readonly cells?: readonly WarpPlanCell[]
}

/** A part of an image that is resampled with one kernel. */
export interface WarpPlanCell {
  readonly part: PixelRectangle
  readonly scale: readonly [x: number, y: number]
}

/** Radius of each kernel around a position, in pixels of the level. */
const kernelReach: Readonly<Record<Resampling, number>> = { nearest: 0, average: 0, bilinear: 1, cubic: 2 }

/**
 * Plans the warp of one part of an image from one level of a raster; null where the level does not reach it.
 *
 * @param exact from a place on the image (pixels, corners are whole) to pixels of the full level.
 * @param scale target pixels a pixel of the level, across and down (`computeLevelScale`).
 */
export function planWarp(
  raster: Raster,
  level: RasterLevel,
  exact: ExactTransform,
  part: PixelRectangle,
  resampling: Resampling,
  scale: readonly [x: number, y: number],
): WarpPlan | null {
  const scaleX = raster.width / level.width
  const scaleY = raster.height / level.height
  const inLevel: ExactTransform = (column, row) => {
    const [x, y] = exact(part.left + column, part.top + row)
    return [x / scaleX, y / scaleY]
  }
  // Averages look at the corners of target pixels, everything else at their centres.
  const more = resampling === 'average' ? 1 : 0
  const columns = part.right - part.left + more
  const rows = part.bottom - part.top + more
  const net = buildApproximationGrid(
    inLevel,
    columns,
    rows,
    more ? 0 : 0.5,
    resampling === 'nearest' ? 'picked' : 'mixed',
  )
  const span = findPositionBounds(net, columns, rows)
  const bounded = boundScale(scale, level)
  const window = span && windowFor(span, kernelReach[resampling], bounded, level)
  if (!window) return null
  return { part, level, window, net: translatePositionGrid(net, window[0], window[1]), resampling, scale: bounded }
}

/** Refuses a plan whose blocks or pixels would cost more than the budget. */
export function checkWarpPlanBudget(
  raster: Raster,
  { level, window }: WarpPlan,
  bandCount: number,
  budget: number,
): void {
  const { decodedBytes, answerBytes } = computeWindowCost(raster, level, window, bandCount)
  const cost = Math.max(decodedBytes, answerBytes)
  if (cost <= budget) return
  throw new RasterFailure(
    'budget',
    `the tile would need ${cost} bytes of pixels, and may use ${budget}: zoom in, or add overviews to the file, for example with gdaladdo`,
  )
}

/** Target pixels for each pixel of the level, across and down, of an image with a known box in the full level. */
export function computeLevelScale(
  raster: Raster,
  level: RasterLevel,
  [x0, y0, x1, y1]: PositionBounds,
  columns: number,
  rows: number,
): [x: number, y: number] {
  return [
    shrinkage(columns, ((x1 - x0) * level.width) / raster.width),
    shrinkage(rows, ((y1 - y0) * level.height) / raster.height),
  ]
}

// A shrinkage by nearly a whole number is taken as that number.
function shrinkage(target: number, pixels: number): number {
  const inverse = pixels / target
  // All in space: no pixel has a value.
  if (!(inverse > 0 && inverse < Infinity)) return 1
  const whole = Math.round(inverse)
  return whole > 0 && Math.abs(inverse - whole) < 0.05 ? 1 / whole : 1 / inverse
}

// No kernel need be wider than the level, whatever a grid says of its pixels.
function boundScale(
  [across, down]: readonly [x: number, y: number],
  { width, height }: RasterLevel,
): [x: number, y: number] {
  return [Math.max(across, 1 / width), Math.max(down, 1 / height)]
}

// The pixels that any position can need, as far as its kernel reaches, inside the level; null where there are none.
function windowFor(
  [x0, y0, x1, y1]: PositionBounds,
  reach: number,
  [across, down]: readonly [x: number, y: number],
  level: RasterLevel,
): Window | null {
  const padX = Math.ceil(reach * Math.max(1, 1 / across)) + 1
  const padY = Math.ceil(reach * Math.max(1, 1 / down)) + 1
  if (x1 < 0 || y1 < 0 || x0 > level.width || y0 > level.height) return null
  const window: Window = [
    Math.max(0, Math.floor(x0) - padX),
    Math.max(0, Math.floor(y0) - padY),
    Math.min(level.width, Math.ceil(x1) + padX),
    Math.min(level.height, Math.ceil(y1) + padY),
  ]
  return window[0] < window[2] && window[1] < window[3] ? window : null
}
