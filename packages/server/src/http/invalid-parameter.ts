import { Problem } from '../engine/problem.ts'

/** Routes of STAC and OGC API - Processes respond with 400 where operations respond with 422. Other errors stay as they are. */
export function toInvalidParameter(error: unknown): unknown {
  if (!(error instanceof Problem) || error.problem !== 'validation') return error
  return new Problem('invalid-parameter', error.message, error.extra)
}
