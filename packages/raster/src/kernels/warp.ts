import { RasterFailure } from '../failures.ts'
import type { KernelMemory, WarpJob } from './types.ts'

/** The warp of the compiled kernels; `exports` are those of the module. */
export function createWarp(_memory: KernelMemory, _exports: object): (job: WarpJob) => void {
  return () => {
    throw new RasterFailure('unsupported', 'pictures are not warped yet')
  }
}
