import { problems, type ProblemName } from '@swath/contract/problems.ts'

/** One place in the input that does not fit, by JSON path (`captures.0.id`). */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** A named failure of a call. Domain code throws it; the doors print it as `application/problem+json`. */
export class Problem extends Error {
  readonly problem: ProblemName
  readonly status: number
  /** Further members of the document, such as `client_secret` or `errors`. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(problem: ProblemName, detail: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.name = 'Problem'
    this.problem = problem
    this.status = problems[problem].status
    this.extra = extra
  }
}

/** 422 with both error lists: `errors` of ours and `detail[]` in the shape that the field's clients read. */
export function validationProblem(faults: readonly Fault[], where: 'body' | 'query' = 'body'): Problem {
  const first = faults[0]
  const text = first ? `${first.path || 'The input'}: ${first.message}` : 'The input does not fit the operation.'
  return new Problem('validation', text, {
    errors: faults,
    detail: faults.map((fault) => ({
      loc: [
        where,
        ...(fault.path ? fault.path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : []),
      ],
      msg: fault.message,
      type: 'value_error',
    })),
  })
}

/** The error of a call whose input was not written where whoever threw it believed: its faults name the right place. */
export function placedIn(error: unknown, where: 'body' | 'query'): unknown {
  if (where === 'body' || !(error instanceof Problem) || error.problem !== 'validation') return error
  const { errors } = error.extra
  return Array.isArray(errors) ? validationProblem(errors as Fault[], where) : error
}

/** A fault of ours: becomes a 500 that says nothing but its trace id. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}

/**
 * The document as it goes over the wire. With 422 `detail` is always the list that typed clients read, else it is the
 * sentence unless `extra` says otherwise.
 */
export function problemDocument(
  problem: Problem,
  base: string,
  traceId: string,
  where: 'body' | 'query' = 'body',
): Record<string, unknown> {
  const { problem: name, message, status, extra } = problem
  return {
    type: `${base}/problems/${name}`,
    title: problems[name].title,
    status,
    detail: status === 422 ? [{ loc: [where], msg: message, type: name }] : message,
    ...extra,
    trace_id: traceId,
  }
}
