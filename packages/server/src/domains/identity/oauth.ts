/** The names of RFC 6749 5.2 and RFC 7009 that the endpoints use. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'temporarily_unavailable'

/** A refusal in the form that OAuth clients read: `{ error, error_description }`. */
export class OAuthRefusal extends Error {
  readonly error: OAuthError
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(error: OAuthError, description: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

/** What an endpoint sends; `body` is JSON, a line of text, or nothing. */
export interface EndpointAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | string | null
  readonly headers: Readonly<Record<string, string>>
}

/** One request to an endpoint, as the door read it. */
export interface EndpointRequest {
  /** The fields of the form, or of the query of a GET. */
  readonly form: URLSearchParams
  readonly authorization: string | null
  /** The header `X-API-Key`; endpoints that need no caller pass it over. */
  readonly apiKey: string | null
  /** Where the request comes from. */
  readonly address: string
  /** The address of the platform as the caller sees it, without a slash at its end. */
  readonly base: string
}

export const notStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const answer = (
  body: EndpointAnswer['body'],
  headers: Readonly<Record<string, string>> = notStored,
  status = 200,
): EndpointAnswer => ({ status, body, headers })

export const answerRefusal = (refusal: OAuthRefusal): EndpointAnswer => ({
  status: refusal.status,
  body: { error: refusal.error, error_description: refusal.message },
  headers: { ...notStored, ...refusal.headers },
})

/** The value of a field; null where it is missing or empty. A field that is given twice is `invalid_request`. */
export function fieldOf(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthRefusal('invalid_request', `${name} is given more than once.`)
  return values[0] || null
}

/** The value of a field, or `invalid_request`. */
export function requireField(form: URLSearchParams, name: string): string {
  const value = fieldOf(form, name)
  if (value === null) throw new OAuthRefusal('invalid_request', `${name} is required.`)
  return value
}
