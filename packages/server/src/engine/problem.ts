import { problems, type ProblemName } from '@swath/contract/problems.ts'

/** A validation error of one field, by dotted path (`captures.0.id`). */
export interface FieldError {
  readonly path: string
  readonly message: string
}

/** A named failure of a call. Domain code throws it; HTTP routes send it as `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  readonly problem: ProblemName
  readonly status: number
  /** Extension members of the document, such as `client_secret` or `errors`. */
  readonly extra: Readonly<Record<string, unknown>>

  /** @param status another one than that of the table, for clients that expect it. */
  constructor(
    problem: ProblemName,
    detail: string,
    extra: Readonly<Record<string, unknown>> = {},
    status: number = problems[problem].status,
  ) {
    super(detail)
    this.name = 'Problem'
    this.problem = problem
    this.status = status
    this.extra = extra
  }
}

/** 422 with both error lists: our `errors`, and `detail[]` in the format of FastAPI that existing clients read. */
export function validationProblem(errors: readonly FieldError[], inputSource: 'body' | 'query' = 'body'): Problem {
  const first = errors[0]
  const text = first
    ? `${withoutCoordinates(first.path) || 'The input'}: ${first.message}`
    : 'The input is not valid for this operation.'
  return new Problem('validation', text, {
    errors: errors,
    detail: errors.map((error) => ({
      loc: [
        inputSource,
        ...(error.path ? error.path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : []),
      ],
      msg: error.message,
      type: 'value_error',
    })),
  })
}

/** The field of a path: where in its coordinates an area is wrong says the message. */
const withoutCoordinates = (path: string): string => path.replace(/\.(?:coordinates|geometries)\b.*$/, '')

const predicatePattern =
  /^(?:is|are|has|have|must|may|can|cannot|does|covers|crosses|contains|gives|needs|lacks|takes|lies|ends|asks|makes|names|leaves|starts)\b/

/**
 * A sentence for a reader who does not know the field, as in the report of an upload or a job: without its path, "The geometry
 * covers no area." of a message that begins with its verb.
 */
export function describeFieldError({ path, message }: FieldError): string {
  const field = withoutCoordinates(path)
    .split('.')
    .findLast((part) => part !== '' && !/^\d+$/.test(part))
  const subject = `The ${(field ?? 'input').replaceAll('_', ' ')}`
  return toSentence(predicatePattern.test(message) ? `${subject} ${message}` : message)
}

/** Text with a capital and a full stop. */
export const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** What a reader who does not know the fields is told about a problem. */
export function describeProblem(problem: Problem): string {
  const [first] = getFieldErrors(problem) ?? []
  return first ? describeFieldError(first) : problem.message
}

/** The errors of fields of a validation problem; null for any other error. */
export const getFieldErrors = (error: unknown): readonly FieldError[] | null =>
  error instanceof Problem && error.problem === 'validation' && Array.isArray(error.extra['errors'])
    ? (error.extra['errors'] as readonly FieldError[])
    : null

/**
 * Runs work and throws its validation errors as `map` names them, with further members of the problem; other errors are thrown
 * unchanged.
 */
export async function withMappedFieldErrors<T>(
  work: () => Promise<T>,
  map: (error: FieldError) => FieldError,
  extra: () => Readonly<Record<string, unknown>> = () => ({}),
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const errors = getFieldErrors(error)
    if (!errors) throw error
    const mapped = validationProblem(errors.map(map))
    throw new Problem(mapped.problem, mapped.message, { ...mapped.extra, ...extra() })
  }
}

/** The same error with validation errors that name the query: operations throw them for the body. */
export function withErrorInputSource(error: unknown, inputSource: 'body' | 'query'): unknown {
  const errors = inputSource === 'body' ? null : getFieldErrors(error)
  return errors ? validationProblem(errors, inputSource) : error
}

/** Throws an internal error: it becomes a 500 with nothing but its trace id. */
export function assertInvariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}

/**
 * The problem document as it is sent. With 422 `detail` is always the list that typed clients read, otherwise the message,
 * unless `extra` overrides it. A validation error of no single field names the input as a whole: its path is empty.
 */
export function toProblemDocument(
  problem: Problem,
  base: string,
  traceId: string,
  inputSource: 'body' | 'query' = 'body',
): Record<string, unknown> {
  const { problem: name, message, status, extra } = problem
  return {
    type: `${base}/problems/${name}`,
    title: problems[name].title,
    status,
    detail: status === 422 ? [{ loc: [inputSource], msg: message, type: name }] : message,
    ...(name === 'validation' ? { errors: [{ path: '', message }] satisfies FieldError[] } : {}),
    ...extra,
    trace_id: traceId,
  }
}
