import { RasterFailure } from '../failures.ts'
import type { KernelMemory, WarpJob } from './types.ts'

/** The warp in plain TypeScript. */
export function createReferenceWarp(_memory: KernelMemory): (job: WarpJob) => void {
  return () => {
    throw new RasterFailure('unsupported', 'pictures are not warped yet')
  }
}
