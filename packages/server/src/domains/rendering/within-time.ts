import { RasterFailure } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import { darkroomReady } from './darkroom.ts'

/** Runs raster work with a time limit; beyond it throws `budget-exceeded`. The signal also aborts with the caller's. */
export async function withinTime<T>(
  what: string,
  limit_ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await darkroomReady()
  const limit = AbortSignal.timeout(limit_ms)
  try {
    return await work(AbortSignal.any([signal, limit]))
  } catch (error) {
    if (!(limit.aborted && error instanceof RasterFailure && error.kind === 'cancelled')) throw error
    throw new Problem('budget-exceeded', `The ${what} took longer than ${limit_ms / 1000} seconds.`)
  }
}
