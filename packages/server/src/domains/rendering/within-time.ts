import { RasterFailure } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import { darkroomReady } from './darkroom.ts'

/** Gives work on pixels so much time; what takes longer is `budget-exceeded`. The signal ends with the caller's too. */
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
