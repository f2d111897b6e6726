import { buildIssuerUrl } from '../access-tokens.ts'

/** The error codes of RFC 6749 4.1.2.1 and OpenID Connect core 3.1.2.6 that the authorization endpoint uses. */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'invalid_scope'
  | 'unsupported_response_type'
  | 'login_required'
  | 'consent_required'
  | 'unauthorized_client'
  | 'invalid_target'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'

/** The destination of an authorization response. */
export interface AuthorizationRedirectTarget {
  readonly redirect_uri: string
  /** Null if the request had none, or one that cannot be returned. */
  readonly state: string | null
}

/** An error that is reported to the client, by a redirect. */
export class AuthorizationError extends Error {
  readonly code: AuthorizationErrorCode
  readonly target: AuthorizationRedirectTarget

  constructor(code: AuthorizationErrorCode, description: string, target: AuthorizationRedirectTarget) {
    super(description)
    this.code = code
    this.target = target
  }
}

/** The client or its redirect URI cannot be trusted: the error is shown to the user, and nobody is redirected. */
export class UntrustedRedirect extends Error {}

/** The URL of an authorization response: the redirect URI with `state` and `iss` (RFC 9207). */
export function toAuthorizationResponseUrl(
  { redirect_uri, state }: AuthorizationRedirectTarget,
  baseUrl: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    ...parameters,
    ...(state === null ? {} : { state }),
    iss: buildIssuerUrl(baseUrl),
  })
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query.toString()}`
}
