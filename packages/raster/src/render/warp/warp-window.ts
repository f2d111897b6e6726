import { planWarpCellsFromLevel } from '../plan/cell-plan.ts'
import type { PixelRectangle } from '../plan/mercator-to-pixel.ts'
import { checkWarpPlanBudget, planWarp } from '../plan/warp-plan.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { checkBandIndexes } from '../../compute/window/window.ts'
import type { PixelBlock } from '../../types.ts'
import { createEmptyImageBlock } from './image-parts.ts'
import { executeWarpPlan } from './warp.ts'
import type { PreparedWarp } from './warp-grid.ts'

export interface WarpWindowOptions {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Decoded bytes that the part may cost; beyond it a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

const default_budget_bytes = 268_435_456

/**
 * Warps a window of the grid, all bands of a pixel together, in the raster's own sample type. Outside the raster the mask and
 * the samples are 0. Samples equal `gdalwarp -et 0`, except where the scale varies over the
 * grid: there kernels follow the scale of each small cell of the grid.
 * Failures: `budget` where the part needs too many pixels of the raster, `request`, and those of `readWindow`.
 */
export async function warpWindow(
  warp: PreparedWarp,
  part: PixelRectangle,
  options: WarpWindowOptions = {},
): Promise<PixelBlock> {
  const { raster } = warp
  const { bands = raster.bands.map((_, index) => index), budget_bytes = default_budget_bytes, signal } = options
  checkBandIndexes(raster, bands)
  const plan = touches(warp, part) ? planPart(warp, part) : null
  if (!plan)
    return createEmptyImageBlock(part.right - part.left, part.bottom - part.top, bands.length, raster.sampleType)
  checkWarpPlanBudget(raster, plan, bands.length, budget_bytes)
  return executeWarpPlan(raster, plan, bands, { layout: 'pixels', signal })
}

function planPart(
  { raster, level, exactTransform, resampling, scale }: PreparedWarp,
  part: PixelRectangle,
): WarpPlan | null {
  return scale === 'local'
    ? planWarpCellsFromLevel(raster, level, exactTransform, part, resampling)
    : planWarp(raster, level, exactTransform, part, resampling, scale)
}

function touches({ reachableWindow }: PreparedWarp, { left, top, right, bottom }: PixelRectangle): boolean {
  return (
    reachableWindow !== null &&
    left < reachableWindow.right &&
    right > reachableWindow.left &&
    top < reachableWindow.bottom &&
    bottom > reachableWindow.top
  )
}
