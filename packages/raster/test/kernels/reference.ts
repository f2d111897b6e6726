import { createMemoryArena, max_kernel_memory_bytes } from '../../src/compute/kernels/arena.ts'
import type { GrowableBuffer } from '../../src/compute/kernels/arena.ts'
import { wrapKernelsWithChecks } from '../../src/compute/kernels/guard.ts'
import { referenceBytes } from './reference-bytes.ts'
import { referencePixels } from './reference-pixels.ts'
import { referencePredictors } from './reference-predictors.ts'
import { createReferenceWarp } from './reference-warp.ts'
import type { Kernels } from '../../src/compute/kernels/types.ts'

/**
 * The kernels in plain TypeScript, which the compiled ones must equal, sample by sample. Ten to a hundred times slower.
 */
export function createReferenceKernels(): Kernels {
  const memory = createMemoryArena(createGrowableBuffer(), 0)
  return wrapKernelsWithChecks({
    memory,
    ...referenceBytes(memory),
    ...referencePixels(memory),
    ...referencePredictors(memory),
    warp: createReferenceWarp(memory),
  })
}

/** A buffer of plain bytes. */
function createGrowableBuffer(): GrowableBuffer {
  let buffer = new ArrayBuffer(2 ** 16)
  return {
    get buffer() {
      return buffer
    },
    grow: (bytes) => {
      // Views of the old bytes come to an end, as they do when the memory of a module grows.
      buffer = buffer.transfer(Math.min(max_kernel_memory_bytes, Math.max(bytes, buffer.byteLength * 2)))
      return true
    },
  }
}
