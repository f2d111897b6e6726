/** The error codes of RFC 6749 5.2 and RFC 7009 that the endpoints use. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'temporarily_unavailable'

/** An OAuth error response: `{ error, error_description }`. */
export class OAuthProblem extends Error {
  readonly error: OAuthErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    error: OAuthErrorCode,
    description: string,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

/** The response of an endpoint; `body` is JSON, a line of text, or empty. */
export interface EndpointResponse {
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
  readonly baseUrl: string
}

export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const respond = (
  body: EndpointResponse['body'],
  headers: Readonly<Record<string, string>> = noStoreHeaders,
  status = 200,
): EndpointResponse => ({ status, body, headers })

export const respondProblem = (problem: OAuthProblem): EndpointResponse => ({
  status: problem.status,
  body: { error: problem.error, error_description: problem.message },
  headers: { ...noStoreHeaders, ...problem.headers },
})

/** The value of a field; null if it is missing or empty. Throws `invalid_request` for a repeated field. */
export function getField(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthProblem('invalid_request', `${name} is sent more than once.`)
  return values[0] || null
}

/** The value of a field. Throws `invalid_request` if it is missing. */
export function requireField(form: URLSearchParams, name: string): string {
  const value = getField(form, name)
  if (value === null) throw new OAuthProblem('invalid_request', `${name} is required.`)
  return value
}
