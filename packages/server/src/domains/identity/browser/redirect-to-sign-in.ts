import { randomText } from '../../../platform/ids.ts'
import { buildIssuerUrl } from '../access-tokens.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import { respondRedirect } from './pages.ts'

/** A page of the platform whose visitor signs in first. */
export interface PageToReturnTo {
  /** The built-in client of the page. */
  readonly client_id: string
  /** The path of the page below the base URL. */
  readonly path: string
  /** Returned to the page in the query. */
  readonly state: string
}

/**
 * Sends a browser to sign in and then back to a page. It comes back with an authorization code, which nobody redeems: its challenge
 * has no verifier. The session of the browser is decisive.
 *
 * @param more parameters of the request, such as `prompt`.
 */
export function redirectToSignIn(
  baseUrl: string,
  { client_id, path, state }: PageToReturnTo,
  more: Readonly<Record<string, string>> = {},
): IdentityEndpointResponse {
  const parameters = new URLSearchParams({
    client_id,
    redirect_uri: `${baseUrl}${path}`,
    response_type: 'code',
    code_challenge: randomText(43),
    code_challenge_method: 'S256',
    state,
    ...more,
  })
  return respondRedirect(`${buildIssuerUrl(baseUrl)}/protocol/openid-connect/auth?${parameters.toString()}`)
}
