/** An invalid field of an input, by dotted path (`captures.0.id`). */
export interface InvalidField {
  readonly path: string
  readonly message: string
}

/** A problem document (RFC 9457) that the platform answered. */
export class ApiProblem extends Error {
  readonly status: number
  /** The problem type, such as `insufficient-credits`; `unknown` if the body was not a problem document. */
  readonly problem: string
  readonly document: Readonly<Record<string, unknown>>
  /** Seconds from `Retry-After`; null without the header. */
  readonly retryAfter_s: number | null

  constructor(status: number, document: Readonly<Record<string, unknown>>, retryAfter_s: number | null) {
    super(describeProblem(status, document))
    this.name = 'ApiProblem'
    this.status = status
    this.problem = nameOfProblem(document)
    this.document = document
    this.retryAfter_s = retryAfter_s
  }

  /** Identifies the call in the log of the platform; null if the response did not say. */
  get traceId(): string | null {
    return textOf(this.document['trace_id'])
  }

  /** The page that explains this type of problem; null if the response was not of the platform. */
  get docsUrl(): string | null {
    return this.problem === 'unknown' ? null : textOf(this.document['type'])
  }

  /** The invalid fields of a call that was refused as `validation`; else none. */
  get fieldErrors(): readonly InvalidField[] {
    const { errors } = this.document
    return Array.isArray(errors) ? (errors as InvalidField[]) : []
  }
}

/** Makes the error of a problem document. */
export type ProblemConstructor = new (...parameters: ConstructorParameters<typeof ApiProblem>) => ApiProblem

const nameOfProblem = (document: Readonly<Record<string, unknown>>): string =>
  String(document['type'] ?? '').split('/problems/')[1] ?? 'unknown'

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** One sentence of it. An endpoint of OAuth answers an error of its own kind. */
function describeProblem(status: number, document: Readonly<Record<string, unknown>>): string {
  const title = document['title'] ?? document['error'] ?? 'The server refused the call'
  const detail = detailText(document['detail'] ?? document['error_description'])
  return `${status} ${String(title)}${detail === '' ? '' : `: ${detail}`}`
}

/** Reads the problem from a response that is not 2xx. */
export async function readProblem(
  response: Response,
  choose: (problem: string) => ProblemConstructor = () => ApiProblem,
): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const document = parseDocument(await response.text())
  const Problem = choose(nameOfProblem(document))
  return new Problem(response.status, document, Number.isFinite(retryAfter) ? retryAfter : null)
}

function parseDocument(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { detail: text }
  } catch {
    return { detail: text.slice(0, 500) }
  }
}

/** The `detail` of a problem as text; with 422 it is an array of errors, each with its location. */
function detailText(detail: unknown): string {
  if (!Array.isArray(detail)) return String(detail ?? '')
  return (detail as { readonly loc?: readonly unknown[]; readonly msg?: unknown }[])
    .map(({ loc = [], msg }) => [loc.slice(1).join('.'), String(msg)].filter((part) => part !== '').join(': '))
    .join('; ')
}
