import type { Tracing } from '../../platform/tracing/tracing.ts'
import type { CallLogRecord } from '../call-log.ts'
import { Problem } from '../problem.ts'

/** The data of a request in its trace. */
export interface TracedRequest {
  readonly requestId: string
  /** The `traceparent` header: W3C trace context. */
  readonly traceparent?: string | null
  readonly log: CallLogRecord
}

/**
 * Runs a call within a span whose name is its operation id; only internal errors count as failures of it.
 *
 * @param statusOf the status of the response for a result.
 */
export async function traceCall<Result>(
  tracing: Tracing,
  { requestId, traceparent = null, log }: TracedRequest,
  operation: string,
  { run, statusOf }: { readonly run: () => Promise<Result>; readonly statusOf: (result: Result) => number },
): Promise<Result> {
  const options = { kind: 'server', parent: traceparent, attributes: { 'swath.request': requestId } } as const
  const outcome = await tracing.span(operation, options, async (span) => {
    if (span) log.set({ trace: span.trace_id })
    try {
      const result = await run()
      span?.setAttributes({ 'http.response.status_code': statusOf(result) })
      return { result }
    } catch (error) {
      const status = error instanceof Problem ? error.status : 500
      span?.setAttributes({ 'http.response.status_code': status })
      if (error instanceof Problem) span?.setAttributes({ 'error.type': error.problem })
      if (status >= 500) span?.setFailed(error instanceof Error ? error.name : 'error')
      return { error }
    }
  })
  if ('error' in outcome) throw outcome.error
  return outcome.result
}
