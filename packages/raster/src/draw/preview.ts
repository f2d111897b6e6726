import { RasterFailure } from '../failures.ts'
import { withKernels } from '../kernels/of-thread.ts'
import { resamplingFor } from '../plan/resampling.ts'
import { checkPlanBudget, planWarp } from '../plan/warp-plan.ts'
import { loadWindow } from '../tiff/load-window.ts'
import { checkBands, costOfWindow } from '../tiff/window.ts'
import type { Level, PixelBlock, Raster } from '../types.ts'
import { createPicture, putPart } from './picture-parts.ts'
import { warpLoaded } from './warp.ts'

const DEFAULT_BUDGET_BYTES = 268_435_456
/** Decoding more than this for one small picture takes longer than anybody waits. */
const MOST_DECODED_BYTES = 8_589_934_592
const MOST_SIDE = 4096
/** Memory that one strip of the source may take. */
const STRIP_BYTES = 33_554_432

/** Neither kernel of a preview has weights that a scale would change. */
const UNWEIGHTED = [1, 1] as const

export interface PreviewRequest {
  /** Size of the result in pixels; the raster is stretched to it. */
  readonly width: number
  readonly height: number
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Maximum bytes in memory; more is a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/**
 * Reads the whole raster in its own grid at a small size, each pixel the mean of the pixels that it covers (for a palette
 * the nearest index), from the smallest sufficient overview. A large raster without overviews is read strip by strip.
 * Failures: `request`, `budget`, and those of readWindow.
 */
export async function readPreview(raster: Raster, request: PreviewRequest): Promise<PixelBlock> {
  const { width, height } = request
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1 || side > MOST_SIDE) {
      throw new RasterFailure('request', `a preview is 1 to ${MOST_SIDE} pixels wide and high`)
    }
  }
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  checkBands(raster, bands)
  const level = smallestLevel(raster, width, height)
  const cost = costOfWindow(raster, level, [0, 0, level.width, level.height], bands.length)
  if (cost.decodedBytes > MOST_DECODED_BYTES) {
    throw new RasterFailure('budget', 'the picture is too large to be looked at without overviews')
  }
  const canvas = createPicture(width, height, bands.length, raster.sampleType)
  const rows = Math.max(1, Math.floor(height * Math.min(1, STRIP_BYTES / cost.answerBytes)))
  for (let top = 0; top < height; top += rows) {
    await drawRows(raster, level, canvas, top, Math.min(height, top + rows), { ...request, bands })
  }
  return canvas
}

function smallestLevel(raster: Raster, width: number, height: number): Level {
  return raster.levels.findLast((level) => level.width >= width && level.height >= height) ?? raster.levels[0]!
}

async function drawRows(
  raster: Raster,
  level: Level,
  canvas: PixelBlock,
  top: number,
  bottom: number,
  { bands, budget_bytes = DEFAULT_BUDGET_BYTES, signal }: PreviewRequest & { readonly bands: readonly number[] },
): Promise<void> {
  const across = raster.width / canvas.width
  const down = raster.height / canvas.height
  const exact = (column: number, row: number): [number, number] => [column * across, row * down]
  const part = { left: 0, top, right: canvas.width, bottom }
  const plan = planWarp(raster, level, exact, part, resamplingFor(raster, 'average'), UNWEIGHTED)
  if (!plan) return
  checkPlanBudget(raster, plan, bands.length, budget_bytes)
  const loaded = await loadWindow(raster, level, plan.window, bands, { signal, fast: true })
  try {
    putPart(
      canvas,
      withKernels((kernels) => warpLoaded(kernels, raster, plan, loaded)),
      part,
    )
  } finally {
    loaded.release()
  }
}
