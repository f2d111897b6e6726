import { withKernels } from '../../compute/kernels/per-thread.ts'
import type { Kernels, PixelsAt, WarpJob } from '../../compute/kernels/types.ts'
import { planCellsOf } from '../plan/cell-plan.ts'
import type { Rectangle } from '../plan/mercator-to-pixel.ts'
import { checkPlanBudget, planWarp } from '../plan/warp-plan.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { SAMPLE_TYPES, viewSamples } from '../../sample-types.ts'
import { loadWindow } from '../../compute/window/load-window.ts'
import { gatherWindow } from '../../compute/window/memory-window.ts'
import { checkBands } from '../../compute/window/window.ts'
import type { PixelRows } from '../../types.ts'
import { warpCells } from './warp-cells.ts'
import { createRows, putRows } from './row-parts.ts'
import type { PreparedWarp } from './warp-grid.ts'

export interface WarpWindowOptions {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Decoded bytes that the part may cost; beyond it a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

const DEFAULT_BUDGET_BYTES = 268_435_456

/**
 * Warps a window of the grid, pixel-interleaved, in the raster's own sample type. Outside the raster the mask and the samples
 * are 0; the mask is null if all pixels are valid. Samples equal `gdalwarp -et 0`, except where the scale varies over the
 * grid: there kernels follow the scale of each small cell of the grid.
 * Failures: `budget` where the part needs too many pixels of the raster, `request`, and those of readRows.
 */
export async function warpWindow(
  warp: PreparedWarp,
  part: Rectangle,
  options: WarpWindowOptions = {},
): Promise<PixelRows> {
  const { raster, level } = warp
  const bands = options.bands ?? raster.bands.map((_, index) => index)
  checkBands(raster, bands)
  const plan = touches(warp, part) ? planPart(warp, part) : null
  if (!plan) return createRows(part.right - part.left, part.bottom - part.top, bands.length, raster.sampleType)
  checkPlanBudget(raster, plan, bands.length, options.budget_bytes ?? DEFAULT_BUDGET_BYTES)
  const loaded = await loadWindow(raster, level, plan.window, bands, options)
  try {
    return withKernels((kernels) => {
      const source = gatherWindow(kernels, raster, loaded)
      return drawPlan(kernels, source, plan)
    })
  } finally {
    loaded.release()
  }
}

function planPart(
  { raster, level, exactTransform, resampling, scale }: PreparedWarp,
  part: Rectangle,
): WarpPlan | null {
  return scale === 'local'
    ? planCellsOf(raster, level, exactTransform, part, resampling)
    : planWarp(raster, level, exactTransform, part, resampling, scale)
}

function drawPlan(kernels: Kernels, source: PixelsAt, plan: WarpPlan): PixelRows {
  const { part, net, resampling, scale, cells } = plan
  const [width, height] = [part.right - part.left, part.bottom - part.top]
  if (!cells) return drawRows(kernels, { source, net, resampling, scale }, width, height)
  const rows = createRows(width, height, source.bandOffsets.length, source.type)
  warpCells(kernels, source, plan, (job, place) => {
    putRows(rows, drawRows(kernels, job, place.width, place.height), place.left, place.top)
  })
  return rows.mask!.includes(0) ? rows : { ...rows, mask: null }
}

function drawRows(kernels: Kernels, job: Omit<WarpJob, 'target'>, width: number, height: number): PixelRows {
  const { type, bandOffsets } = job.source
  const bands = bandOffsets.length
  const count = width * height
  const target: PixelsAt = {
    type,
    at: kernels.memory.reserve((count * bands * SAMPLE_TYPES[type].bits) / 8),
    width,
    height,
    pixelStride: bands,
    rowStride: width * bands,
    bandOffsets: bandOffsets.map((_, band) => band),
    mask: kernels.memory.reserve(count),
  }
  kernels.warp({ ...job, target })
  const mask = new Uint8Array(kernels.memory.buffer, target.mask, count)
  return {
    width,
    rows: height,
    bands,
    data: viewSamples(type, kernels.memory.buffer, target.at, count * bands).slice(),
    mask: mask.includes(0) ? mask.slice() : null,
  }
}

function touches({ reachableWindow }: PreparedWarp, { left, top, right, bottom }: Rectangle): boolean {
  return (
    reachableWindow !== null &&
    left < reachableWindow.right &&
    right > reachableWindow.left &&
    top < reachableWindow.bottom &&
    bottom > reachableWindow.top
  )
}
