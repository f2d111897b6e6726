import type { IdentityEndpointResponse } from '../oauth.ts'
import { issueAuthorizationCode } from './authorization-codes.ts'
import { toAuthorizationResponseUrl } from './authorization-error.ts'
import { respondRedirect } from './pages.ts'
import type { BrowserSessionRow } from './store.browser-sessions.ts'
import type { AuthorizationRequestContext } from './submission.ts'

/** The part of a context that the response needs. */
export type ResponseContext = Omit<AuthorizationRequestContext, 'session_id'>

/** What a code is for, if the user has consented to less than the request names. */
export interface GrantedAccess {
  readonly scopes: readonly string[]
  readonly organization_id: string
}

/** Sends the browser back to the client, with a code. */
export async function respondWithCode(
  { dependencies, request, authorization }: ResponseContext,
  session: BrowserSessionRow,
  { headers = {}, granted }: { readonly headers?: Readonly<Record<string, string>>; readonly granted?: GrantedAccess },
): Promise<IdentityEndpointResponse> {
  const { client, redirect_uri, code_challenge, nonce, openid, scopes, resources, organization_id } = authorization
  const code = await issueAuthorizationCode(dependencies, {
    browser_session_id: session.id,
    user_id: session.user_id,
    client_id: client.id,
    redirect_uri,
    code_challenge,
    nonce,
    openid,
    scopes: granted?.scopes ?? scopes,
    resources,
    organization_id: granted?.organization_id ?? organization_id,
    authenticated_at: session.authenticated_at,
  })
  return respondRedirect(toAuthorizationResponseUrl(authorization, request.baseUrl, { code }), headers)
}
