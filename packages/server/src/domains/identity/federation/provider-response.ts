import { Problem } from '../../../engine/problem.ts'
import { OpenIdFailure, type ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import { toOpenIdClient, toRedirectUri } from '../../organizations/federation/providers.ts'
import { findAuthorizationClients } from '../browser/authorization-clients.ts'
import { parseAuthorizationRequest } from '../browser/authorization-request.ts'
import { respondError, signIn } from '../browser/authorize.ts'
import { respondMessagePage } from '../browser/pages.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import { sentence } from '../page-texts/page-text.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { findOrganizationProvider } from './find-provider.ts'
import { showLinkPage, submitLink } from './link-page.ts'
import { hashLoginCookie, hashLoginState, readLoginCookie, toOpenIdLogin } from './login-state.ts'
import { findProviderAccount, providerRefusals, type ProviderAccount } from './provider-account.ts'
import { toArrival, type ProviderResponse } from './provider-arrival.ts'
import {
  lockProviderLogin,
  markProviderLoginUsed,
  updateProviderLoginAccount,
  type ProviderLoginRow,
} from './store.provider-logins.ts'

/**
 * The redirect URI of providers (OpenID Connect core 3.1.2.5). A state is used once, by the browser that began the sign-in; the code is
 * redeemed between two transactions. A form on the page that it may answer with is posted to the same URL.
 */
export async function handleProviderResponse(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  try {
    if (request.method === 'POST') return await submitLink(dependencies, request, finishSignIn)
    return await receiveResponse(dependencies, request)
  } catch (error) {
    if (error instanceof OpenIdFailure) {
      dependencies.log.warn({ err: error }, 'a sign-in at a provider has failed')
      return respondMessagePage('The sign-in has failed', sentence(error.message), { status: 502 })
    }
    return respondError(error, request)
  }
}

const expired = (): IdentityEndpointResponse =>
  respondMessagePage(
    'This sign-in has ended',
    'It took too long, was used before, or began in another browser. Go back to the application and sign in again.',
    { status: 400 },
  )

async function receiveResponse(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const { unscoped, signer, openid } = dependencies
  const state = request.query.get('state') ?? ''
  const cookie = readLoginCookie(state, request)
  const login = cookie && (await consumeLogin(dependencies, state, hashLoginCookie(cookie)))
  const named = request.pathParameters?.['organization'] ?? ''
  if (!cookie || !login || login.organization_id !== named.toLowerCase()) return expired()
  const found = await findOrganizationProvider(unscoped, login.organization_id)
  if (!found) return expired()
  const redirect_uri = toRedirectUri(request.baseUrl, login.organization_id)
  const terms = toOpenIdLogin(signer, { state, cookie, redirect_uri })
  const claims = await openid.redeem(toOpenIdClient(found.provider, signer), terms, request.query)
  return admitClaims({ dependencies, request, state, login, found }, claims)
}

/** The sign-in of a state that was not used, which is used from now on; null for any other. */
function consumeLogin(
  { unscoped, clock }: IdentityDependencies,
  state: string,
  cookie_hash: string,
): Promise<ProviderLoginRow | null> {
  return unscoped.transaction(async (tx) => {
    const now = clock.now()
    const row = await lockProviderLogin(tx, hashLoginState(state))
    if (!row || row.used_at !== null || row.expires_at <= now || row.cookie_hash !== cookie_hash) return null
    await markProviderLoginUsed(tx, hashLoginState(state), now)
    return row
  })
}

async function admitClaims(response: ProviderResponse, claims: ProviderClaims): Promise<IdentityEndpointResponse> {
  const { dependencies, state } = response
  const arrival = toArrival(response, claims)
  const result = await dependencies.unscoped.transaction(async (tx): Promise<ProviderAccount> => {
    const account = await findProviderAccount(tx, arrival)
    if ('account' in account)
      await updateProviderLoginAccount(tx, hashLoginState(state), { user_id: account.account.id, claims })
    return account
  })
  return 'account' in result ? showLinkPage(response, result.account) : finishSignIn(response, claims, result)
}

/** Signs the browser in to the organization of the provider, and sends it back to the client. */
async function finishSignIn(
  { dependencies, request, login }: ProviderResponse,
  claims: ProviderClaims,
  result: Exclude<ProviderAccount, { readonly account: unknown }>,
): Promise<IdentityEndpointResponse> {
  if ('refusal' in result)
    return respondMessagePage('You cannot sign in here', providerRefusals[result.refusal], { status: 403 })
  const { organization_id, query, session_id } = login
  const user = await findUserIn(dependencies.unscoped, null, result.user, organization_id)
  if (!user) throw new Problem('unavailable', 'Your membership has ended meanwhile.')
  const parameters = new URLSearchParams(query)
  const clients = await findAuthorizationClients(dependencies, request, parameters)
  const authorization = parseAuthorizationRequest(parameters, clients, request.baseUrl)
  const proof = { amr: claims.amr, authenticated_at: dependencies.clock.now() }
  const signedIn = { user, proof, recovery_codes: null, signedInBy: { organization_id, claims } }
  return signIn({ dependencies, request, authorization, session_id }, signedIn)
}
