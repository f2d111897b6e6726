import { RasterFailure } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationRasterJobRunner } from './raster-pool.ts'

/** The limit of one piece of raster work. */
export interface RasterWorkTimeout {
  /** The work as a noun, for the message. */
  readonly workName: string
  readonly timeout_ms: number
  /** The caller's. */
  readonly signal: AbortSignal
}

/** Runs raster work with a time limit; beyond it throws `budget-exceeded`. The signal also aborts with the caller's. */
export async function withTimeout<T>(
  jobs: OrganizationRasterJobRunner,
  { workName, timeout_ms, signal }: RasterWorkTimeout,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await jobs.ready()
  const timeoutSignal = AbortSignal.timeout(timeout_ms)
  try {
    return await work(AbortSignal.any([signal, timeoutSignal]))
  } catch (error) {
    if (!(timeoutSignal.aborted && error instanceof RasterFailure && error.kind === 'cancelled')) throw error
    throw new Problem('budget-exceeded', `The ${workName} took longer than ${timeout_ms / 1000} seconds.`)
  }
}
