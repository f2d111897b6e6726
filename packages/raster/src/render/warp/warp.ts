import { withKernels } from '../../compute/kernels/per-thread.ts'
import type { Kernels, KernelPixels, WarpKernelJob } from '../../compute/kernels/types.ts'
import { loadWindow } from '../../compute/window/load-window.ts'
import { decodeWindowToMemory } from '../../compute/window/memory-window.ts'
import { sampleTypeProperties, viewSamples } from '../../sample-types.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import { cropPositionGrid } from '../plan/approximation-grid.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { createEmptyImageBlock, copyPartIntoImage } from './image-parts.ts'
import type { PixelLayout } from './image-parts.ts'

interface WarpOptions {
  readonly layout: PixelLayout
  /** True if the samples are only displayed and may be approximate (see `loadWindow`). */
  readonly fast?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads and resamples a planned part of an image. The result is as large as the part; samples and mask are 0 where the source has no
 * value. Fails as `loadWindow` and `decodeWindowToMemory` do.
 */
export async function executeWarpPlan(
  raster: Raster,
  plan: WarpPlan,
  bands: readonly number[],
  { layout, ...options }: WarpOptions,
): Promise<PixelBlock> {
  const loaded = await loadWindow(raster, plan.level, plan.window, bands, options)
  try {
    return withKernels((kernels) => runWarpPlan(kernels, decodeWindowToMemory(kernels, raster, loaded), plan, layout))
  } finally {
    loaded.release()
  }
}

function runWarpPlan(kernels: Kernels, source: KernelPixels, plan: WarpPlan, layout: PixelLayout): PixelBlock {
  const { part, net, resampling, scale, cells } = plan
  const [width, height] = [part.right - part.left, part.bottom - part.top]
  if (!cells) return warpPart(kernels, { source, net, resampling, scale }, width, height, layout)
  const image = createEmptyImageBlock(width, height, source.bandOffsets.length, source.type)
  for (const cell of cells) {
    const [left, top] = [cell.part.left - part.left, cell.part.top - part.top]
    const [columns, rows] = [cell.part.right - cell.part.left, cell.part.bottom - cell.part.top]
    const job = { source, net: cropPositionGrid(net, left, top, columns, rows), resampling, scale: cell.scale }
    // The memory that a cell reserves is free again for the next one.
    const mark = kernels.memory.mark()
    copyPartIntoImage(image, warpPart(kernels, job, columns, rows, layout), { left, top }, layout)
    kernels.memory.release(mark)
  }
  return image
}

function warpPart(
  kernels: Kernels,
  job: Omit<WarpKernelJob, 'target'>,
  width: number,
  height: number,
  layout: PixelLayout,
): PixelBlock {
  const { type, bandOffsets } = job.source
  const [bands, size] = [bandOffsets.length, width * height]
  const [pixelStride, bandStride] = layout === 'bands' ? [1, size] : [bands, 1]
  const target: KernelPixels = {
    type,
    at: kernels.memory.reserve((size * bands * sampleTypeProperties[type].bits) / 8),
    width,
    height,
    pixelStride,
    rowStride: width * pixelStride,
    bandOffsets: bandOffsets.map((_, band) => band * bandStride),
    mask: kernels.memory.reserve(size),
  }
  kernels.warp({ ...job, target })
  const { buffer } = kernels.memory
  const data = viewSamples(type, buffer, target.at, size * bands).slice()
  return { width, height, bands, data, mask: new Uint8Array(buffer, target.mask, size).slice() }
}
