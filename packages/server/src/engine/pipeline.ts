import { hasPlayMoneyField } from '@swath/contract/play-money.ts'
import { isSandboxId } from '../platform/ids.ts'
import type { CallRequest } from './pipeline/call-request.ts'
import { toCallResult, type CallResult } from './pipeline/call-result.ts'
import { readCallInput } from './input/read-input.ts'
import { isOperationResponse } from './operation-response.ts'
import {
  CallPipelineState,
  type CallPipelineDependencies,
  type CallPipelineStep,
  type CallPipelineWrapper,
} from './pipeline/state.ts'
import {
  recordCallInAuditTrail,
  countCallInMeter,
  withQueryErrorSource,
  replayByIdempotencyKey,
  reportUndeclaredProblems,
  tracePipelineSteps,
} from './pipeline/wrappers.ts'
import { Problem } from './problem.ts'
import { requirePermittedCaller, requireScope } from './pipeline/scope.ts'

const findOperation: CallPipelineStep = (state) => {
  const { dependencies, request } = state
  const registered = dependencies.find(request.operation)
  if (!registered) throw new Problem('unknown-operation', `There is no operation "${request.operation.slice(0, 100)}".`)
  state.operation = registered.operation
  state.handle = registered.handle
  request.log.set({ operation: registered.operation.id })
}

const authenticate: CallPipelineStep = async (state) => {
  const { dependencies, request, operation } = state
  const principal = await dependencies.authenticate(request.credentials, operation)
  state.principal = principal
  request.log.set({ principal_kind: principal.kind, principal: principal.id, organization: principal.organization })
  if (isOfSandbox(state)) request.markPlayMoney?.()
}

const checkScope: CallPipelineStep = ({ principal, operation }) => requireScope(principal, operation)

const checkCaller: CallPipelineStep = ({ principal, operation }) => requirePermittedCaller(principal, operation)

const enforceRateLimits: CallPipelineStep = ({ dependencies, principal, operation, request }) =>
  dependencies.enforceRateLimits(principal, operation, request)

const readBody: CallPipelineStep = async (state) => {
  state.body = await state.request.readBody(state.operation)
}

const validateInput: CallPipelineStep = (state) => {
  const { operation, request, audit } = state
  state.input = readCallInput(operation, state.body, request.inputSource)
  audit?.setInput(state.input)
}

const createCall: CallPipelineStep = (state) => {
  const { dependencies, request, principal, operation } = state
  state.call = dependencies.createCall(request, principal, operation, state)
}

const requirePermission: CallPipelineStep = ({ dependencies, operation: { permission }, call }) =>
  permission === null ? undefined : dependencies.requirePermission(call, permission)

const runHandler: CallPipelineStep = async (state) => {
  state.output = await state.handle(state.call, state.input as never)
}

/** The output of a sandbox organization says that its money is worth nothing. */
const markPlayMoney: CallPipelineStep = (state) => {
  const { operation, output } = state
  if (!isOfSandbox(state) || !hasPlayMoneyField(operation.output) || isOperationResponse(output)) return
  state.output = { ...(output as object), play_money: true }
}

const validateOutput: CallPipelineStep = (state) => {
  state.result = toCallResult(state.operation, state.output)
}

const isOfSandbox = ({ principal: { organization } }: CallPipelineState): boolean =>
  organization !== null && isSandboxId(organization)

/** The steps of every call, whichever route it came through. The first that throws decides the problem. */
const steps: readonly CallPipelineStep[] = [
  findOperation, // 404 unknown-operation
  authenticate, // 401
  checkScope, // 403, before any work
  checkCaller, // 403
  enforceRateLimits, // 429
  readBody, // 413 oversized, 400 malformed JSON
  validateInput, // 422
  createCall,
  requirePermission, // 403
  runHandler, // 402 403 404 409 410 422 429
  markPlayMoney,
  validateOutput, // 500, a bug in the operation
]

/** The wrappers around the steps, each from one step to the last; the first in the list is the outermost. */
const wrappers: readonly (readonly [from: CallPipelineStep, wrapper: CallPipelineWrapper])[] = [
  [authenticate, reportUndeclaredProblems],
  [authenticate, tracePipelineSteps],
  [checkScope, countCallInMeter],
  [checkScope, recordCallInAuditTrail],
  [createCall, withQueryErrorSource],
  [createCall, replayByIdempotencyKey],
]

type Run = (state: CallPipelineState) => Promise<void>

/** The steps from one on, with their wrappers, as one function: created once, so that a call creates no functions. */
function weave(from: number): Run {
  const next = steps.findIndex((step, at) => at > from && wrappers.some(([first]) => first === step))
  const own = steps.slice(from, next === -1 ? undefined : next)
  const rest = next === -1 ? null : weave(next)
  const run: Run = async (state) => {
    for (const step of own) {
      const pending = step(state)
      // Most steps return no promise, and so cost no turn of the event loop.
      if (pending) await pending
    }
    if (rest) await rest(state)
  }
  return wrappers
    .filter(([first]) => first === steps[from])
    .reduceRight<Run>(
      (inner, [, wrapper]) =>
        (state) =>
          wrapper(state, inner),
      run,
    )
}

const runPipeline = weave(0)

/** The one path of every call. */
export async function executeCall(dependencies: CallPipelineDependencies, request: CallRequest): Promise<CallResult> {
  const state = new CallPipelineState(dependencies, request)
  await runPipeline(state)
  return state.result
}
