import { ApiProblem } from '@swath/client/problem.ts'
import { isRepeatable } from '@swath/client/transfer/errors.ts'
import { problemTexts } from '../texts/problem.ts'

/** The explanation of a failed call for a person. */
export interface Explanation {
  readonly text: string
  /** The page that explains this type of problem. */
  readonly page: string | null
  /** For the operator, who finds it in the log. */
  readonly traceId: string | null
  /** The person may not do this: asking again does not help. */
  readonly isForbidden: boolean
  /** The thing does not exist, or not any more. */
  readonly isMissing: boolean
  readonly isRepeatable: boolean
  /** Seconds until the call may be repeated; 0 is now. */
  readonly wait_s: number
}

/** A person does not notice that a read is repeated within this time. */
const max_silent_wait_s = 5

/** True if a failed read is repeated without a word; the wait of a long 429 is shown instead. */
export const isRetriedSilently = (failures: number, error: unknown): boolean =>
  failures < 2 && isRepeatable(error) && (readRetryAfter_s(error) ?? 0) <= max_silent_wait_s

/** Milliseconds to wait after a number of failures: the `Retry-After` of the platform, or a second, then two. */
export const retryDelay = (failures: number, error: unknown): number =>
  (readRetryAfter_s(error) ?? 2 ** failures) * 1000

const readRetryAfter_s = (error: unknown): number | null => (error instanceof ApiProblem ? error.retryAfter_s : null)

export const isProblem = (error: unknown, ...names: readonly string[]): error is ApiProblem =>
  error instanceof ApiProblem && names.includes(error.problem)

/** True if the person may not do this; what belongs to it need not be offered. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiProblem && error.status === 403

/** True if the data on the screen was out of date when the person called. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.status === 409)

/**
 * Explains a failed call to a person.
 *
 * @param isRead that nothing was entered for this call.
 */
export function explain(error: unknown, { isRead = false }: { readonly isRead?: boolean } = {}): Explanation {
  const common = {
    page: null,
    traceId: null,
    isForbidden: false,
    isMissing: false,
    isRepeatable: isRepeatable(error),
    wait_s: 0,
  }
  if (!(error instanceof ApiProblem))
    return { ...common, text: navigator.onLine ? problemTexts.unreachable : problemTexts.offline }
  const { status, document, retryAfter_s } = error
  const page = typeof document['type'] === 'string' && error.problem !== 'unknown' ? document['type'] : null
  const traceId = typeof document['trace_id'] === 'string' ? document['trace_id'] : null
  const wait_s = status === 429 ? (retryAfter_s ?? 1) : 0
  return {
    ...common,
    text: describe(error, isRead),
    page,
    traceId,
    isForbidden: isForbidden(error),
    isMissing: status === 404,
    wait_s,
  }
}

function describe(problem: ApiProblem, isRead: boolean): string {
  if (problem.status === 429) return problemTexts.tooMany
  if (problem.problem === 'insufficient-scope') return problemTexts.scope(String(problem.document['required_scope']))
  if (problem.status === 500) return isRead ? problemTexts.unreadable : problemTexts.unexpected
  if (problem.status === 404) return problemTexts.missing
  const sentence = problem.message.replace(/^\d+ /, '')
  if (problem.status !== 409) return sentence
  const { detail } = problem.document
  return problemTexts.unchanged(typeof detail === 'string' ? detail : sentence)
}
