import { declaresProblem } from '@swath/contract/registry.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { isAuditedOperation, type AuditedCallEnd } from '../call-audit.ts'
import type { CallRequest } from './call-request.ts'
import { getResultStatus, type CallResult } from './call-result.ts'
import { runIdempotent } from '../idempotency.ts'
import type { CallPipelineState, CallPipelineWrapper } from './state.ts'
import { requireOrganization } from '../principal.ts'
import { assertInvariant, Problem, toProblemDocument, withErrorInputSource } from '../problem.ts'
import type { StoredIdempotentResponse } from '../store.idempotency.ts'
import { traceCall } from './trace-call.ts'

/** An undeclared problem is a bug in the contract: the caller gets it unchanged, the log records it, and tests fail. */
function reportUndeclaredProblem({ dependencies, request, operation }: CallPipelineState, error: unknown): void {
  if (!(error instanceof Problem) || declaresProblem(operation, error.problem)) return
  request.log.set({ undeclared_problem: error.problem })
  dependencies.onUndeclaredProblem?.(operation.id, error.problem)
}

export const reportUndeclaredProblems: CallPipelineWrapper = async (state, next) => {
  try {
    await next(state)
  } catch (error) {
    reportUndeclaredProblem(state, error)
    throw error
  }
}

export const tracePipelineSteps: CallPipelineWrapper = (state, next) => {
  const { tracing } = state.dependencies
  if (!tracing) return next(state)
  const run = () => next(state)
  return traceCall(tracing, state.request, state.operation.id, { run, statusOf: () => getResultStatus(state.result) })
}

/** Counts the call of an authenticated caller, whichever way it ends. */
export const countCallInMeter: CallPipelineWrapper = async (state, next) => {
  const { dependencies, principal, operation } = state
  const begin_ms = monotonic_ms()
  let failed = true
  try {
    await next(state)
    failed = state.result.kind === 'json' && state.result.status >= 400
  } finally {
    dependencies.countCall?.({ principal, operation: operation.id, failed, duration_ms: monotonic_ms() - begin_ms })
  }
}

/** Gives a call that changes something its row in the audit trail. */
export const recordCallInAuditTrail: CallPipelineWrapper = async (state, next) => {
  const { dependencies, principal, operation, request } = state
  const { requestId, clientAddress: address = null } = request
  if (!isAuditedOperation(operation) || !dependencies.startAudit) return next(state)
  const audit = dependencies.startAudit({ principal, operation, requestId, address })
  state.audit = audit
  try {
    await next(state)
  } catch (error) {
    await audit.end({ kind: 'failed', ...problemOf(error) })
    throw error
  }
  await audit.end(toCallEnd(state.result))
}

const problemOf = (error: unknown): { readonly problem: string; readonly status: number } =>
  error instanceof Problem ? error : { problem: 'internal', status: 500 }

/** A stored error of a call that had an effect is a problem document as the output. */
function toCallEnd(result: CallResult): AuditedCallEnd {
  if (result.kind === 'response') return { kind: 'succeeded', output: () => null }
  if (result.replayed || result.status < 400)
    return { kind: result.replayed ? 'replayed' : 'succeeded', output: () => result.output }
  const { type } = result.output as { readonly type: string }
  return { kind: 'failed', problem: type.slice(type.lastIndexOf('/') + 1), status: result.status }
}

/** Validation errors that an operation throws name the query if the input came from there. */
export const withQueryErrorSource: CallPipelineWrapper = async (state, next) => {
  try {
    await next(state)
  } catch (error) {
    throw withErrorInputSource(error, state.request.inputSource)
  }
}

/** Runs the steps at most once for an idempotency key; a repetition gets the stored response. */
export const replayByIdempotencyKey: CallPipelineWrapper = async (state, next) => {
  const { dependencies, request, operation, principal, input } = state
  if (!operation.idempotent || request.idempotencyKey === null) return next(state)
  const key = validateIdempotencyKey(request.idempotencyKey)
  const organization = requireOrganization(principal)
  const db = dependencies.connectTo(organization)
  const sender = `${principal.kind}:${principal.id}`
  const stored = await runIdempotent(
    { db, organization, operation: operation.id, key, principal: sender, input },
    async (claim): Promise<StoredIdempotentResponse> => {
      state.claim = claim
      await next(state)
      assertInvariant(state.result.kind === 'json', 'an operation with idempotency keys returns JSON')
      return { status: operation.status, body: JSON.stringify(state.result.output) }
    },
    (error) => {
      reportUndeclaredProblem(state, error)
      return toStorableError(error, request)
    },
  )
  const { status, body: text, replayed, media_type } = stored
  const output: unknown = JSON.parse(text)
  state.result = { kind: 'json', operation, status, output, text, replayed, ...(media_type ? { media_type } : {}) }
}

/** Problems that are resolved later by time or by the caller: a retry with the same key continues the call. */
const transientProblems: ReadonlySet<string> = new Set(['payment-action-required', 'idempotency-in-flight'])

/** An error as a response that is stored for replay; null if it is internal or transient. */
function toStorableError(error: unknown, request: CallRequest): StoredIdempotentResponse | null {
  if (
    !(error instanceof Problem) ||
    error.status >= 500 ||
    error.status === 429 ||
    transientProblems.has(error.problem)
  )
    return null
  request.log.set({ problem: error.problem, reason: error.message })
  const document = toProblemDocument(error, request.baseUrl, request.requestId, request.inputSource)
  return { status: error.status, body: JSON.stringify(document), media_type: 'application/problem+json' }
}

function validateIdempotencyKey(key: string): string {
  if (key.length < 1 || key.length > 255) {
    throw new Problem('malformed', 'Idempotency-Key must have 1 to 255 characters.')
  }
  return key
}
