import { withKernels } from '../kernels/of-thread.ts'
import type { Kernels, PixelsAt } from '../kernels/types.ts'
import type { Rectangle } from '../plan/mapping.ts'
import { checkPlanBudget, planWarp } from '../plan/warp-plan.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { SAMPLE_TYPES, viewSamples } from '../sample-types.ts'
import { loadWindow } from '../tiff/load-window.ts'
import { gatherWindow } from '../tiff/memory-window.ts'
import { checkBands } from '../tiff/window.ts'
import type { PixelRows, Raster } from '../types.ts'
import type { GridWarp } from './warp-grid.ts'

export interface WarpWindowOptions {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Decoded bytes that the part may cost; beyond it a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

const DEFAULT_BUDGET_BYTES = 268_435_456

/**
 * Draws a part of the grid, all bands of a pixel together, in the raster's own sample type. Where the raster does not reach
 * the mask is 0 and the samples are 0; the mask is null where all pixels are drawn. Samples equal `gdalwarp -et 0`.
 * Failures: `budget` where the part needs too many pixels of the raster, `request`, and those of readRows.
 */
export async function warpWindow(warp: GridWarp, part: Rectangle, options: WarpWindowOptions = {}): Promise<PixelRows> {
  const { raster, level, exact, resampling } = warp
  const bands = options.bands ?? raster.bands.map((_, index) => index)
  checkBands(raster, bands)
  const plan = touches(warp, part) ? planWarp(raster, level, exact, part, resampling, warp.scale) : null
  if (!plan) return emptyRows(raster, part, bands.length)
  checkPlanBudget(raster, plan, bands.length, options.budget_bytes ?? DEFAULT_BUDGET_BYTES)
  const loaded = await loadWindow(raster, level, plan.window, bands, options)
  try {
    return withKernels((kernels) => {
      const source = gatherWindow(kernels, raster, loaded)
      return drawRows(kernels, source, plan)
    })
  } finally {
    loaded.release()
  }
}

function drawRows(kernels: Kernels, source: PixelsAt, { part, net, resampling, scale }: WarpPlan): PixelRows {
  const [width, height] = [part.right - part.left, part.bottom - part.top]
  const bands = source.bandOffsets.length
  const count = width * height
  const target: PixelsAt = {
    type: source.type,
    at: kernels.memory.reserve((count * bands * SAMPLE_TYPES[source.type].bits) / 8),
    width,
    height,
    pixelStride: bands,
    rowStride: width * bands,
    bandOffsets: source.bandOffsets.map((_, band) => band),
    mask: kernels.memory.reserve(count),
  }
  kernels.warp({ source, net, resampling, scale, target })
  const mask = new Uint8Array(kernels.memory.buffer, target.mask, count)
  return {
    width,
    rows: height,
    bands,
    data: viewSamples(source.type, kernels.memory.buffer, target.at, count * bands).slice(),
    mask: mask.includes(0) ? mask.slice() : null,
  }
}

function emptyRows({ sampleType }: Raster, { left, top, right, bottom }: Rectangle, bands: number): PixelRows {
  const [width, rows] = [right - left, bottom - top]
  const data = SAMPLE_TYPES[sampleType].allocate(width * rows * bands)
  return { width, rows, bands, data, mask: new Uint8Array(width * rows) }
}

function touches({ reach }: GridWarp, { left, top, right, bottom }: Rectangle): boolean {
  return reach !== null && left < reach.right && right > reach.left && top < reach.bottom && bottom > reach.top
}
