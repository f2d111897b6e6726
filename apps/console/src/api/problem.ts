import { ApiProblem } from '@swath/client/problem.ts'
import { texts } from '../texts.ts'

/** What a person is told of a failed call. */
export interface Explanation {
  readonly text: string
  /** The page that explains this type of problem. */
  readonly page: string | null
  /** For the operator, who finds it in the log. */
  readonly traceId: string | null
  /** The person may not do this: asking again does not help. */
  readonly isForbidden: boolean
  readonly isRepeatable: boolean
}

/** True if the same call may work in a moment. */
export const isRepeatable = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status === 429 || (error.status >= 500 && error.status !== 501)

export const isProblem = (error: unknown, ...names: readonly string[]): error is ApiProblem =>
  error instanceof ApiProblem && names.includes(error.problem)

export function explain(error: unknown): Explanation {
  const common = { page: null, traceId: null, isForbidden: false, isRepeatable: isRepeatable(error) }
  if (!(error instanceof ApiProblem)) return { ...common, text: texts.problem.offline }
  const { status, document, retryAfter_s } = error
  const page = typeof document['type'] === 'string' && error.problem !== 'unknown' ? document['type'] : null
  const traceId = typeof document['trace_id'] === 'string' ? document['trace_id'] : null
  return { ...common, text: describe(error, retryAfter_s), page, traceId, isForbidden: status === 403 }
}

function describe(problem: ApiProblem, retryAfter_s: number | null): string {
  if (problem.status === 429) return texts.problem.waitSeconds(retryAfter_s ?? 1)
  if (problem.problem === 'insufficient-scope') return texts.problem.scope(String(problem.document['required_scope']))
  if (problem.status === 500) return texts.problem.unexpected
  return problem.message.replace(/^\d+ /, '')
}
