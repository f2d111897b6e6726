/** A refusal of the platform: the problem document (RFC 9457) that it answered. */
export class ApiProblem extends Error {
  readonly status: number
  /** Kebab-case, such as `insufficient-credits`; `unknown` where the answer was no problem document. */
  readonly problem: string
  readonly document: Readonly<Record<string, unknown>>
  /** Whole seconds after which the platform asks to try again; null where it does not say. */
  readonly retryAfter_s: number | null

  constructor(status: number, document: Readonly<Record<string, unknown>>, retryAfter_s: number | null) {
    super(`${status} ${String(document['title'] ?? '')}: ${sentenceOf(document['detail'])}`)
    this.name = 'ApiProblem'
    this.status = status
    this.problem = String(document['type'] ?? '').split('/problems/')[1] ?? 'unknown'
    this.document = document
    this.retryAfter_s = retryAfter_s
  }
}

/** The failure behind an answer that is not 2xx. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const text = await response.text()
  return new ApiProblem(response.status, parse(text), Number.isFinite(retryAfter) ? retryAfter : null)
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { detail: text }
  } catch {
    return { detail: text.slice(0, 500) }
  }
}

/** The sentence of a problem; with 422 it is a list of faults, each with its place. */
function sentenceOf(detail: unknown): string {
  if (!Array.isArray(detail)) return String(detail ?? '')
  return (detail as { readonly loc?: readonly unknown[]; readonly msg?: unknown }[])
    .map(({ loc = [], msg }) => [loc.slice(1).join('.'), String(msg)].filter((part) => part !== '').join(': '))
    .join('; ')
}
