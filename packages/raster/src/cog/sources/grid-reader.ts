import { applyAffine, invertAffine } from '@swath/geo/affine.ts'
import { createEmptyImageBlock, copyPartIntoImage } from '../../render/warp/image-parts.ts'
import { isSameCrs, prepareWarp } from '../../render/warp/warp-grid.ts'
import type { PreparedWarp, TargetGrid, WarpOverviews } from '../../render/warp/warp-grid.ts'
import { warpWindow } from '../../render/warp/warp-window.ts'
import { RasterFailure } from '../../failures.ts'
import type { PixelRectangle } from '../../render/plan/mercator-to-pixel.ts'
import type { PixelBlock, PixelRows, Raster, Resampling } from '../../types.ts'
import { createRowReader } from './row-reader.ts'

/** Rows of a raster as they lie on a grid, from column `left` of it on; null where it reaches none of them. */
export interface GridRows {
  readonly left: number
  readonly top: number
  readonly pixels: PixelRows
}

/** Returns the pixels of a raster in some rows of a grid; called from the top downwards. */
export type GridRowReader = (top: number, rows: number) => Promise<GridRows | null>

/** Columns of the grid that are warped at once; fewer where they need too much of the raster. */
const piece_columns = 1024
const piece_budget_bytes = 134_217_728
const min_piece = 1
/** Grids whose pixels lie this close on each other are the same. */
const tolerance_pixels = 0.001

/**
 * Reads a raster on any grid: as it is where the pixels fall on those of the grid, else resampled, from its full resolution or
 * from overviews, which are faster and less exact.
 */
export function createGridReader(
  raster: Raster,
  grid: TargetGrid,
  bands: readonly number[],
  resampling: Resampling,
  signal: AbortSignal | undefined,
  overviews: WarpOverviews = 'none',
): GridRowReader {
  const offset = alignedOffset(raster, grid)
  return offset
    ? createAlignedReader(raster, grid, bands, offset, signal)
    : createWarpedReader(prepareWarp(raster, grid, resampling, overviews), bands, signal)
}

/** Position of the first pixel of the raster on the grid, if the pixels of both coincide. */
function alignedOffset(raster: Raster, grid: TargetGrid): readonly [column: number, row: number] | null {
  const inverse = invertAffine(grid.affine)
  if (!inverse || !isSameCrs(raster.crs, grid.crs)) return null
  const [left, top] = applyAffine(inverse, ...applyAffine(raster.affine, 0, 0))
  const offset = [Math.round(left), Math.round(top)] as const
  for (const [column, row] of [
    [0, 0],
    [raster.width, 0],
    [0, raster.height],
  ] as const) {
    const [x, y] = applyAffine(inverse, ...applyAffine(raster.affine, column, row))
    if (Math.hypot(x - offset[0] - column, y - offset[1] - row) > tolerance_pixels) return null
  }
  return offset
}

function createAlignedReader(
  raster: Raster,
  grid: TargetGrid,
  bands: readonly number[],
  [column, row]: readonly [number, number],
  signal: AbortSignal | undefined,
): GridRowReader {
  const [left, right] = [Math.max(0, column), Math.min(grid.width, column + raster.width)]
  const [first, last] = [Math.max(0, row), Math.min(grid.height, row + raster.height)]
  if (left >= right || first >= last) return async () => null
  const read = createRowReader(raster, bands, [left - column, first - row, right - column, last - row], signal)
  return async (top, rows) => {
    const [from, to] = [Math.max(top, first), Math.min(top + rows, last)]
    return from < to ? { left, top: from, pixels: await read(from - first, to - from) } : null
  }
}

function createWarpedReader(
  warp: PreparedWarp,
  bands: readonly number[],
  signal: AbortSignal | undefined,
): GridRowReader {
  const { reachableWindow, raster } = warp
  if (!reachableWindow) return async () => null
  const [left, right] = [Math.floor(reachableWindow.left), Math.ceil(reachableWindow.right)]
  return async (top, rows) => {
    const from = Math.max(top, Math.floor(reachableWindow.top))
    const to = Math.min(top + rows, Math.ceil(reachableWindow.bottom))
    if (from >= to) return null
    const image = createEmptyImageBlock(right - left, to - from, bands.length, raster.sampleType)
    for (let column = left; column < right; column += piece_columns) {
      const part = { left: column, top: from, right: Math.min(right, column + piece_columns), bottom: to }
      await warpPiece(warp, part, bands, signal, image, left, from)
    }
    return { left, top: from, pixels: { ...image, rows: image.height } }
  }
}

/** Warps a piece, in halves where it needs too much of the raster at once. */
async function warpPiece(
  warp: PreparedWarp,
  part: PixelRectangle,
  bands: readonly number[],
  signal: AbortSignal | undefined,
  into: PixelBlock,
  left: number,
  top: number,
): Promise<void> {
  try {
    const warped = await warpWindow(warp, part, { bands, budget_bytes: piece_budget_bytes, signal })
    copyPartIntoImage(into, warped, { left: part.left - left, top: part.top - top }, 'pixels')
  } catch (cause) {
    const halves = cause instanceof RasterFailure && cause.kind === 'budget' ? halve(part) : null
    if (!halves) throw cause
    for (const half of halves) await warpPiece(warp, half, bands, signal, into, left, top)
  }
}

function halve({ left, top, right, bottom }: PixelRectangle): readonly PixelRectangle[] | null {
  const [width, height] = [right - left, bottom - top]
  if (Math.max(width, height) <= min_piece) return null
  if (width >= height) {
    const middle = left + (width >> 1)
    return [
      { left, top, right: middle, bottom },
      { left: middle, top, right, bottom },
    ]
  }
  const middle = top + (height >> 1)
  return [
    { left, top, right, bottom: middle },
    { left, top: middle, right, bottom },
  ]
}
