import { ApiProblem } from '@swath/client/problem.ts'
import { texts } from '../texts.ts'

/** What a person is told of a failed call. */
export interface Explanation {
  readonly text: string
  /** For the operator, who finds it in the log. */
  readonly reference: string | null
}

/** True if the same call may work in a moment. */
export const isRepeatable = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status === 429 || error.status >= 502

export function explain(error: unknown): Explanation {
  if (!(error instanceof ApiProblem)) return { text: texts.problem.offline, reference: null }
  const { status, document, retryAfter_s } = error
  const reference = typeof document['requestId'] === 'string' ? document['requestId'] : null
  if (status === 429) return { text: texts.problem.waitSeconds(retryAfter_s ?? 1), reference: null }
  if (status === 500) return { text: texts.problem.unexpected, reference }
  return { text: error.message.replace(/^\d+ /, ''), reference }
}
