import type { Operation } from '@swath/contract/operation.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { declaresProblem } from '@swath/contract/registry.ts'
import { isAnswer, onlyPiece, type Answer, type Pieces, type WrittenAnswer } from './answer.ts'
import type { Call, Principal } from './call.ts'
import type { AdmitCall, LimitListener } from './call-limits.ts'
import type { Answerer } from './handler.ts'
import type { Observation } from './observe.ts'
import { once, type Claim } from './once.ts'
import { placedIn, Problem, problemDocument } from './problem.ts'
import { checkOutput, readInput } from './read-input.ts'
import { requireScope } from './scope.ts'
import type { KeptAnswer } from './store.once.ts'

export interface Credentials {
  readonly authorization: string | null
  readonly apiKey: string | null
  /** A token in the URL; only tile routes pass one, and a header takes precedence. */
  readonly tileToken?: string | null
  /** The client's IPv4 address, or the /64 block of its IPv6 address: what failures are counted by. */
  readonly address: string
}

/** One call as an HTTP route passes it to the pipeline. */
export interface CallRequest extends LimitListener {
  readonly operation: string
  readonly credentials: Credentials
  /** Called only after authentication and rate limits; throws `too-large` or `malformed`. */
  readBody(operation: Operation): Promise<unknown>
  /** Where the input comes from; validation errors name it. */
  readonly inputFrom: 'body' | 'query'
  readonly idempotencyKey: string | null
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string | null
  readonly baseUrl: string
  readonly requestId: string
  /** What rate limits count anonymous calls by (see `Credentials.address`). */
  readonly origin: string
  readonly signal: AbortSignal
  readonly log: Observation
  /** Reserves memory for bytes of the response before they are read; throws `rate-limited`. */
  reserve?(bytes: number): void
}

/** Called with a problem that an operation throws and does not declare. If it throws, the caller gets that error instead. */
export type UndeclaredProblemListener = (operation: string, problem: ProblemName) => void

/** A declared operation and its implementation; null if it has none. */
export interface RegisteredOperation {
  readonly operation: Operation
  readonly answer: Answerer<never, unknown> | null
}

/** What the pipeline needs from the application. */
export interface Steps {
  readonly onUndeclaredProblem?: UndeclaredProblemListener
  find(id: string): RegisteredOperation | null
  authenticate(credentials: Credentials, operation: Operation): Promise<Principal>
  readonly admit: AdmitCall
  openCall(request: CallRequest, principal: Principal, operation: Operation, claim: Claim | null): Call
}

export type Outcome =
  | {
      readonly form: 'json'
      readonly operation: Operation
      readonly status: number
      /** Of a stored error; absent if it is the operation's own. */
      readonly media_type?: string
      readonly output: unknown
      readonly text: string | null
      /** Instead of `text` if the document is long. */
      readonly pieces?: Pieces
      readonly replayed: boolean
    }
  | { readonly form: 'response'; readonly operation: Operation; readonly answer: Exclude<Answer, WrittenAnswer> }

/** The one path of every call, whichever route it came through. The order of the steps decides which problem wins. */
export async function perform(steps: Steps, request: CallRequest): Promise<Outcome> {
  const found = steps.find(request.operation) // 404 unknown operation
  if (!found) throw new Problem('unknown-operation', `There is no operation "${request.operation.slice(0, 100)}".`)
  const { operation, answer } = found
  request.log.set({ operation: operation.id })
  try {
    return await performFound(steps, request, operation, answer)
  } catch (error) {
    reportUndeclared(steps, request, operation, error)
    throw error
  }
}

/** An undeclared problem is a bug in the contract: the caller gets it unchanged, the log records it, and tests fail. */
function reportUndeclared(steps: Steps, { log }: CallRequest, operation: Operation, error: unknown): void {
  if (!(error instanceof Problem) || declaresProblem(operation, error.problem)) return
  log.set({ undeclared_problem: error.problem })
  steps.onUndeclaredProblem?.(operation.id, error.problem)
}

async function performFound(
  steps: Steps,
  request: CallRequest,
  operation: Operation,
  answer: Answerer<never, unknown> | null,
): Promise<Outcome> {
  const principal = await steps.authenticate(request.credentials, operation) // 401
  request.log.set({ principal_kind: principal.kind, principal: principal.id, organization: principal.organization })
  requireScope(principal, operation) // 403, before any work
  const admission = steps.admit(principal, operation, request) // 429
  if (admission) await admission

  const body = await request.readBody(operation) // 413 oversized, 400 malformed JSON
  const input = readInput(operation, body, request.inputFrom) // 422
  if (!answer) throw new Problem('not-implemented', `${operation.id} is declared but not implemented.`) // 501

  const work = (claim: Claim | null): Promise<unknown> =>
    answer(steps.openCall(request, principal, operation, claim), input as never) // 402 403 404 409 410 429
  if (operation.idempotent && request.idempotencyKey !== null) {
    return performOnce(steps, request, principal, operation, input, work)
  }
  try {
    return outcomeOf(operation, await work(null))
  } catch (error) {
    throw placedIn(error, request.inputFrom)
  }
}

function outcomeOf(operation: Operation, output: unknown): Outcome {
  if (isAnswer(output)) {
    return output.form === 'serialized-json'
      ? writtenOutcome(operation, output)
      : { form: 'response', operation, answer: output }
  }
  checkOutput(operation, output) // 500, a bug in the operation
  return { form: 'json', operation, status: operation.status, output, text: null, replayed: false }
}

/** The text is sent as it is; `output` parses it on demand. */
function writtenOutcome(operation: Operation, serialized: WrittenAnswer): Outcome {
  const { pieces, sample } = serialized
  const text = onlyPiece(serialized)
  checkOutput(operation, JSON.parse(sample))
  const { status } = operation
  return {
    form: 'json',
    operation,
    status,
    text,
    ...(text === null ? { pieces } : {}),
    replayed: false,
    get output() {
      return JSON.parse([...pieces].join('')) as unknown
    },
  }
}

async function performOnce(
  steps: Steps,
  request: CallRequest,
  principal: Principal,
  operation: Operation,
  input: unknown,
  work: (claim: Claim | null) => Promise<unknown>,
): Promise<Outcome> {
  const key = readKey(request.idempotencyKey ?? '')
  const call = steps.openCall(request, principal, operation, null)
  const { db, organization } = call
  const sender = `${principal.kind}:${principal.id}`
  const scope = { db, organization, operation: operation.id, key, principal: sender, input }
  const runAndSerialize = async (claim: Claim): Promise<KeptAnswer> => {
    const output = await work(claim)
    checkOutput(operation, output)
    return { status: operation.status, body: JSON.stringify(output) }
  }
  const kept = await once(scope, runAndSerialize, (error) => {
    reportUndeclared(steps, request, operation, error)
    return keptRefusal(error, request)
  })
  const { status, body: text, replayed, media_type } = kept
  const output: unknown = JSON.parse(text)
  return { form: 'json', operation, status, output, text, replayed, ...(media_type ? { media_type } : {}) }
}

/** Problems that are resolved later by time or by the caller: a retry with the same key continues the call. */
const passing = new Set<ProblemName>(['payment-action-required', 'idempotency-in-flight'])

/** An error as a response that is stored for replay; null if it is internal or transient. */
function keptRefusal(error: unknown, request: CallRequest): KeptAnswer | null {
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 429 || passing.has(error.problem))
    return null
  request.log.set({ problem: error.problem, reason: error.message })
  const document = problemDocument(error, request.baseUrl, request.requestId, request.inputFrom)
  return { status: error.status, body: JSON.stringify(document), media_type: 'application/problem+json' }
}

function readKey(key: string): string {
  if (key.length < 1 || key.length > 255) {
    throw new Problem('malformed', 'Idempotency-Key must have 1 to 255 characters.')
  }
  return key
}
