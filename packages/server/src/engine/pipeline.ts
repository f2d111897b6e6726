import type { OrganizationPermission } from '@swath/contract/access.ts'
import type { Operation } from '@swath/contract/operation.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { saysPlayMoney } from '@swath/contract/play-money.ts'
import { declaresProblem } from '@swath/contract/registry.ts'
import {
  isOperationResponse,
  singleChunk,
  type OperationResponse,
  type TextChunks,
  type SerializedJson,
} from './operation-response.ts'
import type { Call, Principal } from './call.ts'
import type { EnforceRateLimits, RateLimitReporter } from './call-limits.ts'
import type { OperationHandler } from './handler.ts'
import { isAudited, type CallAudit, type CallEnd, type StartAudit } from './call-audit.ts'
import type { CallLogRecord } from './call-log.ts'
import { runIdempotent, type IdempotencyClaim } from './idempotency.ts'
import { withErrorSource, Problem, problemDocument } from './problem.ts'
import { requireValidOutput, readInput } from './input/read-input.ts'
import { monotonic_ms } from '../platform/clock.ts'
import { isSandboxId } from '../platform/ids.ts'
import { requireCaller, requireScope } from './scope.ts'
import type { StoredResponse } from './store.idempotency.ts'
import { traceCall, type TracedRequest } from './trace-call.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'

export interface CallCredentials {
  readonly authorization: string | null
  readonly apiKey: string | null
  /** A token in the URL; only tile routes pass one, and a header takes precedence. */
  readonly tileToken?: string | null
  /** The client's IPv4 address, or the /64 block of its IPv6 address: what failures are counted by. */
  readonly address: string
}

/** One call as an HTTP route passes it to the pipeline. */
export interface CallRequest extends RateLimitReporter, TracedRequest {
  readonly operation: string
  readonly credentials: CallCredentials
  /** Called only after authentication and rate limits; throws `too-large` or `malformed`. */
  readBody(operation: Operation): Promise<unknown>
  /** Where the input comes from; validation errors name it. */
  readonly inputSource: 'body' | 'query'
  readonly idempotencyKey: string | null
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string | null
  /** The `Last-Event-ID` header. */
  readonly lastEventId?: string | null
  readonly baseUrl: string
  readonly requestId: string
  /** What rate limits count anonymous calls by (see `Credentials.address`). */
  readonly rateLimitKey: string
  /** The IP address of the client, for the audit trail. */
  readonly clientAddress?: string
  readonly signal: AbortSignal
  readonly log: CallLogRecord
  /** Marks the response as one about play money. */
  markPlayMoney?(): void
  /** Reserves memory for bytes of the response before they are read; throws `rate-limited`. */
  reserveResponseBytes?(bytes: number): void
}

/** A call of a known caller that has ended. */
export interface CountedCall {
  readonly principal: Principal
  readonly operation: string
  readonly failed: boolean
  readonly duration_ms: number
}

/** Counts a call in memory; never waits. */
export type CountCall = (call: CountedCall) => void

/** Called with a problem that an operation throws and does not declare. If it throws, the caller gets that error instead. */
export type UndeclaredProblemListener = (operation: string, problem: ProblemName) => void

/** What the pipeline needs from the application. */
export interface PipelineDependencies {
  readonly onUndeclaredProblem?: UndeclaredProblemListener
  readonly countCall?: CountCall
  readonly startAudit?: StartAudit
  /** Absent if nothing is traced. */
  readonly tracing?: Tracing
  find(id: string): OperationHandler | null
  authenticate(credentials: CallCredentials, operation: Operation): Promise<Principal>
  readonly enforceRateLimits: EnforceRateLimits
  /** Throws `forbidden` if the caller lacks a permission in its organization. */
  requirePermission(call: Call, permission: OrganizationPermission): Promise<void>
  createCall(request: CallRequest, principal: Principal, operation: Operation, records: CallRecords): Call
}

/** What a call writes beside its change: the recovery points of its idempotency key, and its row in the audit trail. */
export interface CallRecords {
  readonly claim: IdempotencyClaim | null
  /** Null for a read. */
  readonly audit: CallAudit | null
}

export type CallResult =
  | {
      readonly kind: 'json'
      readonly operation: Operation
      readonly status: number
      /** Of a stored error; absent if it is the operation's own. */
      readonly media_type?: string
      readonly output: unknown
      /** The output, if it is serialized already; in chunks if it is long. */
      readonly text: string | TextChunks | null
      readonly replayed: boolean
    }
  | {
      readonly kind: 'response'
      readonly operation: Operation
      readonly response: Exclude<OperationResponse, SerializedJson>
    }

/** The one path of every call, whichever route it came through. The order of the steps decides which problem wins. */
export async function executeCall(dependencies: PipelineDependencies, request: CallRequest): Promise<CallResult> {
  const registered = dependencies.find(request.operation) // 404 unknown operation
  if (!registered) throw new Problem('unknown-operation', `There is no operation "${request.operation.slice(0, 100)}".`)
  const { operation } = registered
  request.log.set({ operation: operation.id })
  try {
    const run = (): Promise<CallResult> => executeOperation(dependencies, request, registered)
    const { tracing } = dependencies
    return await (tracing ? traceCall(tracing, request, operation.id, { run, statusOf }) : run())
  } catch (error) {
    reportUndeclaredProblem(dependencies, request, operation, error)
    throw error
  }
}

const statusOf = (result: CallResult): number => (result.kind === 'json' ? result.status : result.operation.status)

/** An undeclared problem is a bug in the contract: the caller gets it unchanged, the log records it, and tests fail. */
function reportUndeclaredProblem(
  dependencies: PipelineDependencies,
  { log }: CallRequest,
  operation: Operation,
  error: unknown,
): void {
  if (!(error instanceof Problem) || declaresProblem(operation, error.problem)) return
  log.set({ undeclared_problem: error.problem })
  dependencies.onUndeclaredProblem?.(operation.id, error.problem)
}

async function executeOperation(
  dependencies: PipelineDependencies,
  request: CallRequest,
  { operation, handle }: OperationHandler,
): Promise<CallResult> {
  const principal = await dependencies.authenticate(request.credentials, operation) // 401
  request.log.set({ principal_kind: principal.kind, principal: principal.id, organization: principal.organization })
  if (principal.organization !== null && isSandboxId(principal.organization)) request.markPlayMoney?.()
  const { requestId, clientAddress: address = null } = request
  const audit =
    (isAudited(operation) && dependencies.startAudit?.({ principal, operation, requestId, address })) || null
  const begin_ms = monotonic_ms()
  let failed = true
  try {
    const result = await executeAuthenticated(dependencies, request, { operation, handle, principal, audit })
    failed = result.kind === 'json' && result.status >= 400
    await audit?.end(toCallEnd(result))
    return result
  } catch (error) {
    await audit?.end({ kind: 'failed', ...problemOf(error) })
    throw error
  } finally {
    dependencies.countCall?.({ principal, operation: operation.id, failed, duration_ms: monotonic_ms() - begin_ms })
  }
}

const problemOf = (error: unknown): { readonly problem: string; readonly status: number } =>
  error instanceof Problem ? error : { problem: 'internal', status: 500 }

/** A stored error of a call that had an effect is a problem document as the output. */
function toCallEnd(result: CallResult): CallEnd {
  if (result.kind === 'response') return { kind: 'succeeded', output: () => null }
  if (result.replayed || result.status < 400)
    return { kind: result.replayed ? 'replayed' : 'succeeded', output: () => result.output }
  const { type } = result.output as { readonly type: string }
  return { kind: 'failed', problem: type.slice(type.lastIndexOf('/') + 1), status: result.status }
}

interface AuthenticatedCall extends OperationHandler {
  readonly principal: Principal
  readonly audit: CallAudit | null
}

async function executeAuthenticated(
  dependencies: PipelineDependencies,
  request: CallRequest,
  { operation, handle, principal, audit }: AuthenticatedCall,
): Promise<CallResult> {
  requireScope(principal, operation) // 403, before any work
  requireCaller(principal, operation) // 403
  const pendingLimits = dependencies.enforceRateLimits(principal, operation, request) // 429
  if (pendingLimits) await pendingLimits

  const body = await request.readBody(operation) // 413 oversized, 400 malformed JSON
  const input = readInput(operation, body, request.inputSource) // 422

  audit?.setInput(input)

  const work = async (claim: IdempotencyClaim | null): Promise<unknown> => {
    const call = dependencies.createCall(request, principal, operation, { claim, audit })
    if (operation.permission !== null) await dependencies.requirePermission(call, operation.permission) // 403
    return handle(call, input as never) // 402 403 404 409 410 429
  }
  if (operation.idempotent && request.idempotencyKey !== null) {
    return executeIdempotent(dependencies, { request, principal, operation, input, work })
  }
  try {
    return toCallResult(operation, markPlayMoney(operation, principal, await work(null)))
  } catch (error) {
    throw withErrorSource(error, request.inputSource)
  }
}

/** The output of a sandbox organization says that its money is worth nothing. */
function markPlayMoney({ output: schema }: Operation, { organization }: Principal, output: unknown): unknown {
  if (organization === null || !isSandboxId(organization) || !saysPlayMoney(schema) || isOperationResponse(output))
    return output
  return { ...(output as object), play_money: true }
}

function toCallResult(operation: Operation, output: unknown): CallResult {
  if (isOperationResponse(output)) {
    return output.kind === 'serialized-json'
      ? new SerializedResult(operation, output)
      : { kind: 'response', operation, response: output }
  }
  requireValidOutput(operation, output) // 500, a bug in the operation
  return { kind: 'json', operation, status: operation.status, output, text: null, replayed: false }
}

/**
 * A serialized document as a result: its text is sent as it is, and `output` parses it on demand. It is a class for the reason
 * that `CallContext` is one: the hidden class of an object literal with a getter keeps the whole text until the next full
 * garbage collection, so that each of the short ones copies the texts of all calls since then.
 */
class SerializedResult {
  readonly kind = 'json'
  readonly operation: Operation
  readonly status: number
  readonly text: string | TextChunks
  readonly replayed = false

  constructor(operation: Operation, serialized: SerializedJson) {
    requireValidOutput(operation, JSON.parse(serialized.sample))
    this.operation = operation
    this.status = operation.status
    this.text = singleChunk(serialized) ?? serialized.chunks
  }

  get output(): unknown {
    return JSON.parse(typeof this.text === 'string' ? this.text : [...this.text].join(''))
  }
}

async function executeIdempotent(
  dependencies: PipelineDependencies,
  {
    request,
    principal,
    operation,
    input,
    work,
  }: {
    readonly request: CallRequest
    readonly principal: Principal
    readonly operation: Operation
    readonly input: unknown
    readonly work: (claim: IdempotencyClaim | null) => Promise<unknown>
  },
): Promise<CallResult> {
  const key = validateIdempotencyKey(request.idempotencyKey ?? '')
  const call = dependencies.createCall(request, principal, operation, { claim: null, audit: null })
  const { db, organization } = call
  const senderKey = `${principal.kind}:${principal.id}`
  const idempotentRequest = { db, organization, operation: operation.id, key, principal: senderKey, input }
  const runAndSerialize = async (claim: IdempotencyClaim): Promise<StoredResponse> => {
    const output = markPlayMoney(operation, principal, await work(claim))
    requireValidOutput(operation, output)
    return { status: operation.status, body: JSON.stringify(output) }
  }
  const stored = await runIdempotent(idempotentRequest, runAndSerialize, (error) => {
    reportUndeclaredProblem(dependencies, request, operation, error)
    return storableError(error, request)
  })
  const { status, body: text, replayed, media_type } = stored
  const output: unknown = JSON.parse(text)
  return { kind: 'json', operation, status, output, text, replayed, ...(media_type ? { media_type } : {}) }
}

/** Problems that are resolved later by time or by the caller: a retry with the same key continues the call. */
const transientProblems = new Set<ProblemName>(['payment-action-required', 'idempotency-in-flight'])

/** An error as a response that is stored for replay; null if it is internal or transient. */
function storableError(error: unknown, request: CallRequest): StoredResponse | null {
  if (
    !(error instanceof Problem) ||
    error.status >= 500 ||
    error.status === 429 ||
    transientProblems.has(error.problem)
  )
    return null
  request.log.set({ problem: error.problem, reason: error.message })
  const document = problemDocument(error, request.baseUrl, request.requestId, request.inputSource)
  return { status: error.status, body: JSON.stringify(document), media_type: 'application/problem+json' }
}

function validateIdempotencyKey(key: string): string {
  if (key.length < 1 || key.length > 255) {
    throw new Problem('malformed', 'Idempotency-Key must have 1 to 255 characters.')
  }
  return key
}
