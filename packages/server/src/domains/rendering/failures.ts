import { RasterFailure, type RasterFailureKind } from '@swath/raster'
import type { ProblemName } from '@swath/contract/problems.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'

/** What a failure of the raster package means to the caller; `fault` is one of ours. */
const meanings: Readonly<Record<RasterFailureKind, ProblemName | 'fault'>> = {
  not_raster: 'unsupported-raster',
  damaged: 'unsupported-raster',
  unsupported: 'unsupported-raster',
  no_georeference: 'unsupported-raster',
  grids_differ: 'unsupported-raster',
  budget: 'budget-exceeded',
  outside: 'validation',
  request: 'validation',
  expression: 'validation',
  // Bytes that cannot be had are a fault where they are ours; sources beyond us throw a problem of their own.
  source: 'fault',
  cancelled: 'fault',
  write: 'fault',
}

/** The field of the input that a failure of a kind is about. */
export type FailureFields = Readonly<Partial<Record<RasterFailureKind, string>>>

const usual: FailureFields = { expression: 'expression', outside: 'geometry' }

/** The problem that a raster failure is to the caller; anything else comes back as it is. */
export function problemOf(error: unknown, fields = usual): unknown {
  if (!(error instanceof RasterFailure)) return error
  // What a source of ours threw while it was read says more than that reading failed.
  if (error.kind === 'source' && (error.cause instanceof Problem || error.cause instanceof RasterFailure)) {
    return problemOf(error.cause, fields)
  }
  const problem = meanings[error.kind]
  if (problem === 'fault') return error
  if (problem === 'validation') return validationProblem([{ path: fields[error.kind] ?? '', message: error.message }])
  return new Problem(problem, sentence(error.message))
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`

/** Runs work on pixels; its raster failures leave as problems. */
export async function withProblems<T>(work: () => Promise<T>, fields?: FailureFields): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw problemOf(error, fields)
  }
}
