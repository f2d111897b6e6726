import { viewSamples } from '../../src/sample-types.ts'
import { createRow, locateRow } from './reference-warp-positions.ts'
import { createSampler } from './reference-warp-samplers.ts'
import type { WarpSource } from './reference-warp-samplers.ts'
import type { KernelMemory, KernelPixels, WarpKernelJob } from '../../src/compute/kernels/types.ts'
import { checkWarpRequest } from '../../src/compute/kernels/warp-job.ts'

/**
 * The warp in plain TypeScript, with the rules of gdalwarp:
 * - A target pixel takes the source pixel under its centre; where that is masked or outside, it stays empty.
 * - `nearest` copies that pixel. The near edges of the source belong to it, the far ones do not.
 * - `bilinear` and `cubic` weigh the pixels around it by the distance of their centres. Where fewer than 0.95 pixels are
 *   rendered for a source pixel, along either axis, the kernel is widened so that every source pixel counts. Masked pixels and
 *   those beyond the edge are left out and the other weights rescaled; a cubic kernel that is not widened gives way to
 *   the bilinear one there.
 * - `average` weighs all pixels in the upright box between two opposite corners of the target pixel by the part of them
 *   that is covered; the grid has corners, and the pixel under the centre does not matter.
 * - Integers are rounded half up and clamped to their range.
 *
 * Samples of 8 and 16 bits are summed in f32, as differences from one near by, and all others in f64. Every sum has one
 * order of operations, which the compiled kernels follow.
 */
export function createReferenceWarp(memory: KernelMemory): (job: WarpKernelJob) => void {
  return (job) => {
    checkWarpRequest(job)
    const { width, height, bandOffsets, mask } = job.target
    const target = openImage(memory, job.target)
    const valid = new Uint8Array(memory.buffer, mask, width * height)
    const values = new Float64Array(bandOffsets.length)
    const sample = createSampler(job, openImage(memory, job.source), values)
    const positions = job.resampling === 'average' ? width + 1 : width
    let [here, below] = [createRow(positions), createRow(positions)]
    locateRow(job.net, 0, here)
    for (let row = 0; row < height; row++) {
      const last = row + 1 === height && job.resampling !== 'average'
      if (!last) locateRow(job.net, row + 1, below)
      for (let column = 0; column < width; column++) {
        const isValid = sample(column, here, below)
        if (!isValid) values.fill(0)
        valid[row * width + column] = isValid ? 255 : 0
        for (let band = 0; band < values.length; band++)
          target.samples[target.indexOf(column, row, band)] = values[band]!
      }
      ;[here, below] = [below, here]
    }
  }
}

function openImage(memory: KernelMemory, pixels: KernelPixels): WarpSource {
  const { type, at, width, height, pixelStride, rowStride, bandOffsets } = pixels
  const count = Math.max(...bandOffsets) + (height - 1) * rowStride + (width - 1) * pixelStride + 1
  const mask = pixels.mask === 0 ? null : new Uint8Array(memory.buffer, pixels.mask, width * height)
  return {
    type,
    width,
    height,
    samples: viewSamples(type, memory.buffer, at, count),
    indexOf: (x, y, band) => bandOffsets[band]! + y * rowStride + x * pixelStride,
    isValid: (x, y) => mask === null || mask[y * width + x] !== 0,
  }
}
