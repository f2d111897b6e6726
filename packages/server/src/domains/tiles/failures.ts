import { RasterFailure, type RasterFailureKind } from '@swath/raster'
import type { ProblemName } from '@swath/contract/problems.ts'
import { Problem, toSentence, validationProblem } from '../../engine/problem.ts'

/** The problem of each kind of raster failure; `fault` is an internal error. */
const problemByKind: Readonly<Record<RasterFailureKind, ProblemName | 'fault'>> = {
  not_raster: 'unsupported-raster',
  damaged: 'unsupported-raster',
  unsupported: 'unsupported-raster',
  no_georeference: 'unsupported-raster',
  grids_differ: 'unsupported-raster',
  budget: 'budget-exceeded',
  outside: 'validation',
  request: 'validation',
  expression: 'validation',
  // Unreadable bytes of our own storage are an internal error; remote sources throw their own problems.
  source: 'fault',
  cancelled: 'fault',
  write: 'fault',
  worker_lost: 'fault',
}

/** The input field that a kind of failure is about. */
export type RasterFailureFields = Readonly<Partial<Record<RasterFailureKind, string>>>

const defaultFields: RasterFailureFields = { expression: 'expression', outside: 'geometry' }

/** Converts a raster failure to its problem; other errors are returned unchanged. */
export function toRasterProblem(error: unknown, fields = defaultFields): unknown {
  if (!(error instanceof RasterFailure)) return error
  // The cause that a source threw is more specific than the failed read.
  if (error.kind === 'source' && (error.cause instanceof Problem || error.cause instanceof RasterFailure)) {
    return toRasterProblem(error.cause, fields)
  }
  const problem = problemByKind[error.kind]
  if (problem === 'fault') return error
  if (problem === 'validation') return validationProblem([{ path: fields[error.kind] ?? '', message: error.message }])
  return new Problem(problem, describeRasterFailure(error))
}

/** What to do about a file, for failures that do not say it themselves. */
const adviceByKind: Readonly<Partial<Record<RasterFailureKind, string>>> = {
  not_raster: 'Use a GeoTIFF or JPEG 2000 image.',
  damaged: 'Save it again from its original, for example with gdal_translate.',
  unsupported: 'Convert it, for example with gdal_translate -of COG.',
  grids_differ: 'Bring one onto the grid of the other first, for example by the process `reproject`.',
}

/** A failure as sentences for the user: what is wrong, and what to do. */
export const describeRasterFailure = ({ kind, message }: RasterFailure): string =>
  [toSentence(message), adviceByKind[kind] ?? ''].join(' ').trim()

/** Runs raster work and converts its failures to problems. */
export async function convertRasterFailures<T>(work: () => Promise<T>, fields?: RasterFailureFields): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toRasterProblem(error, fields)
  }
}

/** Parses the text of a field. Throws `validation` of the field for what the raster package refuses. */
export function parseRasterField<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    throw validationProblem([{ path, message: error.message }])
  }
}
