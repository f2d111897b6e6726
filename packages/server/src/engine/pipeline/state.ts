import type { OrganizationPermission } from '@swath/contract/access.ts'
import type { Operation } from '@swath/contract/operation.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import type { Tracing } from '../../platform/tracing/tracing.ts'
import type { CallAudit, StartCallAudit } from '../call-audit.ts'
import type { EnforceRateLimits } from './call-limits.ts'
import type { CallCredentials, CallRecords, CallRequest } from './call-request.ts'
import type { CallResult } from './call-result.ts'
import type { Call, Principal } from '../call.ts'
import type { HandlerFunction, OperationHandler } from '../handler.ts'
import type { IdempotencyClaim } from '../idempotency.ts'

/** A call of an authenticated caller that has ended. */
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

/** The dependencies of the pipeline, from the application. */
export interface CallPipelineDependencies {
  readonly onUndeclaredProblem?: UndeclaredProblemListener
  readonly countCall?: CountCall
  readonly startAudit?: StartCallAudit
  /** Absent if nothing is traced. */
  readonly tracing?: Tracing
  find(id: string): OperationHandler | null
  authenticate(credentials: CallCredentials, operation: Operation): Promise<Principal>
  readonly enforceRateLimits: EnforceRateLimits
  /** Connects to the database of the idempotency keys of an organization. */
  connectTo(organization: string): DbConnection
  /** Throws `forbidden` if the caller lacks a permission in its organization. */
  requirePermission(call: Call, permission: OrganizationPermission): Promise<void>
  createCall(request: CallRequest, principal: Principal, operation: Operation, records: CallRecords): Call
}

/** A call on its way through the pipeline. A step may rely on what the steps before it have set. */
export class CallPipelineState implements CallRecords {
  readonly dependencies: CallPipelineDependencies
  readonly request: CallRequest
  operation!: Operation
  handle!: HandlerFunction<never, unknown>
  principal!: Principal
  audit: CallAudit | null = null
  body: unknown = undefined
  input: unknown = undefined
  claim: IdempotencyClaim | null = null
  call!: Call
  output: unknown = undefined
  result!: CallResult

  constructor(dependencies: CallPipelineDependencies, request: CallRequest) {
    this.dependencies = dependencies
    this.request = request
  }
}

/** Runs one step; throws the problem that the call ends with. */
export type CallPipelineStep = (state: CallPipelineState) => void | Promise<void>

/** Runs something around a step and all that follow it. */
export type CallPipelineWrapper = (
  state: CallPipelineState,
  next: (state: CallPipelineState) => Promise<void>,
) => Promise<void>
