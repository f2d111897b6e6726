import type { Kernels, PixelsAt } from '../kernels/types.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { SAMPLE_TYPES, viewSamples } from '../sample-types.ts'
import { gatherWindow } from '../tiff/memory-window.ts'
import type { LoadedWindow } from '../tiff/load-window.ts'
import type { PixelBlock, Raster } from '../types.ts'

/**
 * Decodes and resamples a planned part of a picture, in the memory of the kernels. The answer is planar, as large as the
 * part; samples are 0 and the mask is 0 where nothing is drawn. Fails as `gatherWindow` does.
 */
export function warpLoaded(kernels: Kernels, raster: Raster, plan: WarpPlan, loaded: LoadedWindow): PixelBlock {
  const { part, net, resampling, scale } = plan
  const source = gatherWindow(kernels, raster, loaded)
  const width = part.right - part.left
  const height = part.bottom - part.top
  const target = reserveBlock(kernels, source, width, height)
  kernels.warp({ source, net, resampling, scale, target })
  const { buffer } = kernels.memory
  const bands = source.bandOffsets.length
  return {
    width,
    height,
    bands,
    data: viewSamples(source.type, buffer, target.at, width * height * bands).slice(),
    mask: new Uint8Array(buffer, target.mask, width * height).slice(),
  }
}

function reserveBlock(kernels: Kernels, { type, bandOffsets }: PixelsAt, width: number, height: number): PixelsAt {
  const size = width * height
  const at = kernels.memory.reserve((size * bandOffsets.length * SAMPLE_TYPES[type].bits) / 8)
  return {
    type,
    at,
    width,
    height,
    pixelStride: 1,
    rowStride: width,
    bandOffsets: bandOffsets.map((_, band) => band * size),
    mask: kernels.memory.reserve(size),
  }
}
