import type { Kernels, PixelsAt, WarpJob } from '../../compute/kernels/types.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { SAMPLE_TYPES, viewSamples } from '../../sample-types.ts'
import { gatherWindow } from '../../compute/window/memory-window.ts'
import type { LoadedWindow } from '../../compute/window/load-window.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import { warpCells } from './warp-cells.ts'
import { createImageBlock, putPart } from './image-parts.ts'

/**
 * Decodes and resamples a planned part of a picture, in the memory of the kernels. The answer is planar, as large as the
 * part; samples are 0 and the mask is 0 where nothing is drawn. Fails as `gatherWindow` does.
 */
export function warpLoaded(kernels: Kernels, raster: Raster, plan: WarpPlan, loaded: LoadedWindow): PixelBlock {
  const source = gatherWindow(kernels, raster, loaded)
  const { part, net, resampling, scale, cells } = plan
  const [width, height] = [part.right - part.left, part.bottom - part.top]
  if (!cells) return warpPart(kernels, { source, net, resampling, scale }, width, height)
  const picture = createImageBlock(width, height, source.bandOffsets.length, source.type)
  warpCells(kernels, source, plan, (job, place) => {
    putPart(picture, warpPart(kernels, job, place.width, place.height), place)
  })
  return picture
}

function warpPart(kernels: Kernels, job: Omit<WarpJob, 'target'>, width: number, height: number): PixelBlock {
  const { source } = job
  const target = reserveBlock(kernels, source, width, height)
  kernels.warp({ ...job, target })
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
