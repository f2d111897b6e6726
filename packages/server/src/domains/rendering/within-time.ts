import { RasterFailure } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import { rasterPoolReady } from './raster-pool.ts'

/** Runs raster work with a time limit; beyond it throws `budget-exceeded`. The signal also aborts with the caller's. */
export async function withTimeout<T>(
  workName: string,
  timeout_ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await rasterPoolReady()
  const timeoutSignal = AbortSignal.timeout(timeout_ms)
  try {
    return await work(AbortSignal.any([signal, timeoutSignal]))
  } catch (error) {
    if (!(timeoutSignal.aborted && error instanceof RasterFailure && error.kind === 'cancelled')) throw error
    throw new Problem('budget-exceeded', `The ${workName} took longer than ${timeout_ms / 1000} seconds.`)
  }
}
