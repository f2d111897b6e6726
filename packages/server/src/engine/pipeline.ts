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
  /** A token in the address; only doors of maps hand one over, and a header counts before it. */
  readonly tileToken?: string | null
  /** Whence they come, as what is counted: an IPv4 address, or the block of an IPv6 one. */
  readonly address: string
}

/** One call as a door hands it over. */
export interface CallRequest extends LimitListener {
  readonly operation: string
  readonly credentials: Credentials
  /** Read only after the caller may ask at all; throws `too-large` or `malformed`. */
  readBody(operation: Operation): Promise<unknown>
  /** Where the input is written; faults say so. */
  readonly inputFrom: 'body' | 'query'
  readonly idempotencyKey: string | null
  /** Tags of answers that the caller holds. */
  readonly ifNoneMatch?: string | null
  readonly baseUrl: string
  readonly requestId: string
  /** Whence it comes, as what is counted. */
  readonly origin: string
  readonly signal: AbortSignal
  readonly log: Observation
  /** Finds room for bytes of the answer before they are read; throws `rate-limited`. */
  reserve?(bytes: number): void
}

/** Hears of a problem that an operation ended with and does not declare. What it throws is what the caller gets instead. */
export type UndeclaredProblemListener = (operation: string, problem: ProblemName) => void

/** What the pipeline needs from the house. */
export interface Steps {
  readonly onUndeclaredProblem?: UndeclaredProblemListener
  find(id: string): { operation: Operation; answer: Answerer<never, unknown> | null } | null
  authenticate(credentials: Credentials, operation: Operation): Promise<Principal>
  readonly admit: AdmitCall
  openCall(request: CallRequest, principal: Principal, operation: Operation, claim: Claim | null): Call
}

export type Outcome =
  | {
      readonly form: 'json'
      readonly operation: Operation
      readonly status: number
      /** Where it is not the operation's own: that of a refusal that was kept. */
      readonly media_type?: string
      readonly output: unknown
      readonly text: string | null
      /** Instead of a text that is long. */
      readonly pieces?: Pieces
      readonly replayed: boolean
    }
  | { readonly form: 'answer'; readonly operation: Operation; readonly answer: Exclude<Answer, WrittenAnswer> }

/** The one path every call takes, whichever door it came through. The order decides which problem wins. */
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

/** An undeclared problem is a fault of the contract: the caller gets it as it is, the log says so, tests fail. */
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
  if (!answer) throw new Problem('not-implemented', `${operation.id} is declared and not answered yet.`) // 501

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
    return output.form === 'written' ? writtenOutcome(operation, output) : { form: 'answer', operation, answer: output }
  }
  checkOutput(operation, output) // 500, a bug of ours
  return { form: 'json', operation, status: operation.status, output, text: null, replayed: false }
}

/** Its text is sent as it is; who needs the value, parses it. */
function writtenOutcome(operation: Operation, answer: WrittenAnswer): Outcome {
  const { pieces, sample } = answer
  const text = onlyPiece(answer)
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
  const answer = async (claim: Claim): Promise<KeptAnswer> => {
    const output = await work(claim)
    checkOutput(operation, output)
    return { status: operation.status, body: JSON.stringify(output) }
  }
  const kept = await once(scope, answer, (error) => {
    reportUndeclared(steps, request, operation, error)
    return keptRefusal(error, request)
  })
  const { status, body: text, replayed, media_type } = kept
  const output: unknown = JSON.parse(text)
  return { form: 'json', operation, status, output, text, replayed, ...(media_type ? { media_type } : {}) }
}

/** Refusals that time, or the caller, will mend: the same call goes on later. */
const passing = new Set<ProblemName>(['payment-action-required', 'idempotency-in-flight'])

/** A refusal as an answer that is kept; null where it is a fault of ours or passes. */
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
