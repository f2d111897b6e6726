/** The error codes of RFC 6749 5.2 and RFC 7009 that the endpoints use. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'temporarily_unavailable'

/** An OAuth error response: `{ error, error_description }`. */
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

/** The response of an endpoint; `body` is JSON, a line of text, or empty. */
export interface EndpointAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | string | null
  readonly headers: Readonly<Record<string, string>>
}

/** A parsed request to an endpoint. */
export interface EndpointRequest {
  /** The fields of the form, or of the query of a GET. */
  readonly form: URLSearchParams
  readonly authorization: string | null
  /** The header `X-API-Key`; endpoints without authentication ignore it. */
  readonly apiKey: string | null
  /** The IP address of the client. */
  readonly address: string
  /** The base URL of the platform as the caller sees it, without a trailing slash. */
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

/** The value of a field; null if it is missing or empty. Throws `invalid_request` for a repeated field. */
export function fieldOf(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthRefusal('invalid_request', `${name} is sent more than once.`)
  return values[0] || null
}

/** The value of a field. Throws `invalid_request` if it is missing. */
export function requireField(form: URLSearchParams, name: string): string {
  const value = fieldOf(form, name)
  if (value === null) throw new OAuthRefusal('invalid_request', `${name} is required.`)
  return value
}
