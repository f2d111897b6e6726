import type { IdentityEndpointPage } from './page-texts/page.ts'
import type { PageText } from './page-texts/page-text.ts'

/** The error codes of RFC 6749 5.2, RFC 7009 and RFC 8628 3.5 that the endpoints use. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'temporarily_unavailable'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'

/** An OAuth error response: `{ error, error_description }`. */
export class OAuthProblem extends Error {
  readonly error: OAuthErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Members of the response besides those of RFC 6749. */
  readonly more: Readonly<Record<string, unknown>> = {}

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

/** The response of an endpoint; `body` is JSON, a line of text, or empty; a `page` takes its place. */
export interface IdentityEndpointResponse<Text = PageText> {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | string | null
  readonly headers: Readonly<Record<string, string>>
  readonly page?: IdentityEndpointPage<Text>
}

/** A parsed request to an endpoint. */
export interface IdentityEndpointRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The fields of the form, or of the query of a GET. */
  readonly form: URLSearchParams
  /** The JSON document of the body; undefined for any other body. */
  readonly json?: unknown
  /** The query of the URL. */
  readonly query: URLSearchParams
  /** The header `Cookie`. */
  readonly cookie: string | null
  /** True if the caller is a browser that shows pages. */
  readonly acceptsHtml: boolean
  /** The header `Accept-Language`. */
  readonly acceptLanguage: string | null
  /** The header `User-Agent`. */
  readonly userAgent: string | null
  readonly authorization: string | null
  /** The header `X-API-Key`; endpoints without authentication ignore it. */
  readonly apiKey: string | null
  /** The IP address of the client. */
  readonly address: string
  /** The base URL of the platform as the caller sees it, without a trailing slash. */
  readonly baseUrl: string
  /** The parts of the path that a route names. */
  readonly pathParameters?: Readonly<Record<string, string>>
}

export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const createOAuthEndpointResponse = (
  body: IdentityEndpointResponse['body'],
  headers: Readonly<Record<string, string>> = noStoreHeaders,
  status = 200,
): IdentityEndpointResponse => ({ status, body, headers })

export const createProblemResponse = (problem: OAuthProblem): IdentityEndpointResponse => ({
  status: problem.status,
  body: { error: problem.error, error_description: problem.message, ...problem.more },
  headers: { ...noStoreHeaders, ...problem.headers },
})

/** The value of a field; null if it is missing or empty. Throws `invalid_request` for a repeated field. */
export function getFormField(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthProblem('invalid_request', `${name} is sent more than once.`)
  return values[0] || null
}

/** The value of a field. Throws `invalid_request` if it is missing. */
export function requireFormField(form: URLSearchParams, name: string): string {
  const value = getFormField(form, name)
  if (value === null) throw new OAuthProblem('invalid_request', `${name} is required.`)
  return value
}
