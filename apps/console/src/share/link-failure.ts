import { ApiProblem } from '@swath/client/problem.ts'
import { shareTexts as texts } from '../texts/share.ts'

/** A link that no password opens. */
export interface ClosedLink {
  readonly title: string
  readonly text: string
}

const { unknown, ended, usedUp, unavailable } = texts.closed

/** Problems that no further attempt of the visitor solves; the texts reveal nothing about the link. */
const closedByProblem: Readonly<Record<string, ClosedLink>> = {
  'not-found': unknown,
  'gone-expired': ended,
  'gone-retention': ended,
  'quota-exceeded': usedUp,
  'past-due': unavailable,
}

/** Null for a problem after which the visitor can try again. */
export const findClosedLink = (problem: string): ClosedLink | null =>
  Object.hasOwn(closedByProblem, problem) ? closedByProblem[problem]! : null

/** Why an attempt failed: the link is closed, or a sentence beside the form. */
export type LinkFailure = { readonly closed: ClosedLink } | { readonly text: string; readonly traceId: string | null }

/** Explains an error response of the server, or that there was none. */
export function explainFailure(error: unknown): LinkFailure {
  if (!(error instanceof ApiProblem)) return { text: texts.offline, traceId: null }
  const closed = findClosedLink(error.problem)
  if (closed) return { closed }
  const { status, document, retryAfter_s } = error
  const traceId = typeof document['trace_id'] === 'string' ? document['trace_id'] : null
  if (status === 429) return { text: describeWait(retryAfter_s), traceId: null }
  if (status >= 500) return { text: texts.serverDown, traceId }
  return { text: typeof document['detail'] === 'string' ? document['detail'] : texts.refused, traceId: null }
}

/** Seconds that a throttled visitor has to wait; a minute if the server did not say. */
export function describeWait(retryAfter_s: number | null): string {
  const wait_s = Math.max(1, Math.ceil(retryAfter_s ?? 60))
  return texts.wait(wait_s < 100 ? texts.seconds(wait_s) : texts.minutes(Math.ceil(wait_s / 60)))
}
