import { createPile, plainGround } from './memory.ts'
import { guardKernels } from './guard.ts'
import { referenceBytes } from './reference-bytes.ts'
import { referencePixels } from './reference-pixels.ts'
import { referencePredictors } from './reference-predictors.ts'
import { createReferenceWarp } from './reference-warp.ts'
import type { Kernels } from './types.ts'

/** The kernels in plain TypeScript: what the compiled ones must equal, sample by sample. Ten to a hundred times slower. */
export function createReferenceKernels(): Kernels {
  const memory = createPile(plainGround(), 0)
  return guardKernels({
    memory,
    ...referenceBytes(memory),
    ...referencePixels(memory),
    ...referencePredictors(memory),
    warp: createReferenceWarp(memory),
  })
}
