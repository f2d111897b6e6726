import { RasterFailure } from '../../failures.ts'
import { chooseAllowedResampling } from '../../compute/window/resampling.ts'
import { checkWarpPlanBudget, planWarp } from '../plan/warp-plan.ts'
import { checkBandIndexes, checkWindow, computeWindowCost } from '../../compute/window/window.ts'
import type { Window } from '../../compute/window/window.ts'
import type { RasterLevel, PixelBlock, Raster } from '../../types.ts'
import { createEmptyImageBlock, copyPartIntoImage } from './image-parts.ts'
import { executeWarpPlan } from './warp.ts'

const default_budget_bytes = 268_435_456
/** Decoding more than this for one small image takes longer than anybody waits. */
const max_decoded_bytes = 8_589_934_592
const max_side_pixels = 4096
/** Memory that one strip of the source may take. */
const strip_bytes = 33_554_432

/** Neither kernel of a preview has weights that a scale would change. */
const unweighted = [1, 1] as const

export interface PreviewRequest {
  /** Size of the result in pixels; the raster is stretched to it. */
  readonly width: number
  readonly height: number
  /** The part that is read, in pixels of the full level: left, top, right, bottom; default the whole raster. */
  readonly window?: Window
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Maximum bytes in memory; more is a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/**
 * Reads the whole raster, or a window of it, in its own grid at a small size, each pixel the mean of the pixels that it covers (for a palette
 * the nearest index), from the smallest sufficient overview. A large raster without overviews is read strip by strip.
 * Failures: `request`, `budget`, and those of readWindow.
 */
export async function readPreview(raster: Raster, request: PreviewRequest): Promise<PixelBlock> {
  const { width, height } = request
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1 || side > max_side_pixels) {
      throw new RasterFailure('request', `a preview is 1 to ${max_side_pixels} pixels wide and high`)
    }
  }
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  checkBandIndexes(raster, bands)
  const window = request.window ?? [0, 0, raster.width, raster.height]
  checkWindow(raster, 0, window, bands)
  const level = smallestLevel(raster, window, width, height)
  const cost = computeWindowCost(raster, level, windowOnLevel(raster, level, window), bands.length)
  if (cost.decodedBytes > max_decoded_bytes) {
    throw new RasterFailure(
      'budget',
      'the image is too large to be looked at without overviews: add them, for example with gdaladdo',
    )
  }
  const canvas = createEmptyImageBlock(width, height, bands.length, raster.sampleType)
  const rows = Math.max(1, Math.floor(height * Math.min(1, strip_bytes / cost.answerBytes)))
  for (let top = 0; top < height; top += rows) {
    await resampleRows(raster, level, canvas, top, Math.min(height, top + rows), { ...request, bands, window })
  }
  return canvas
}

/** The smallest level on which the window has at least as many pixels as the image. */
function smallestLevel(raster: Raster, [x0, y0, x1, y1]: Window, width: number, height: number): RasterLevel {
  const isEnough = (level: RasterLevel): boolean =>
    (level.width * (x1 - x0)) / raster.width >= width && (level.height * (y1 - y0)) / raster.height >= height
  return raster.levels.findLast(isEnough) ?? raster.levels[0]!
}

/** All pixels of a level that a window of the full level reaches. */
function windowOnLevel(raster: Raster, level: RasterLevel, [x0, y0, x1, y1]: Window): Window {
  const across = level.width / raster.width
  const down = level.height / raster.height
  return [
    Math.floor(x0 * across),
    Math.floor(y0 * down),
    Math.min(level.width, Math.ceil(x1 * across)),
    Math.min(level.height, Math.ceil(y1 * down)),
  ]
}

async function resampleRows(
  raster: Raster,
  level: RasterLevel,
  canvas: PixelBlock,
  top: number,
  bottom: number,
  {
    bands,
    window,
    budget_bytes = default_budget_bytes,
    signal,
  }: PreviewRequest & Required<Pick<PreviewRequest, 'bands' | 'window'>>,
): Promise<void> {
  const [x0, y0, x1, y1] = window
  const across = (x1 - x0) / canvas.width
  const down = (y1 - y0) / canvas.height
  const exact = (column: number, row: number): [number, number] => [x0 + column * across, y0 + row * down]
  const part = { left: 0, top, right: canvas.width, bottom }
  const plan = planWarp(raster, level, exact, part, chooseAllowedResampling(raster, 'average'), unweighted)
  if (!plan) return
  checkWarpPlanBudget(raster, plan, bands.length, budget_bytes)
  copyPartIntoImage(
    canvas,
    await executeWarpPlan(raster, plan, bands, { layout: 'bands', fast: true, signal }),
    part,
    'bands',
  )
}
