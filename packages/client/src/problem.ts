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
    this.problem = String(document['type'] ?? '').split('/problems/')[1] ?? 'unknown'
    this.document = document
    this.retryAfter_s = retryAfter_s
  }
}

/** One sentence of it. An endpoint of OAuth answers an error of its own kind. */
function describeProblem(status: number, document: Readonly<Record<string, unknown>>): string {
  const title = document['title'] ?? document['error'] ?? 'The server refused the call'
  const detail = detailText(document['detail'] ?? document['error_description'])
  return `${status} ${String(title)}${detail === '' ? '' : `: ${detail}`}`
}

/** Reads the problem from a response that is not 2xx. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const text = await response.text()
  return new ApiProblem(response.status, parseDocument(text), Number.isFinite(retryAfter) ? retryAfter : null)
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
