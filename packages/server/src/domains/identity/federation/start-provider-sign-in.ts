import { limits } from '@swath/contract/limits.ts'
import { minute_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../../engine/problem.ts'
import { OpenIdFailure } from '../../../platform/integrations/openid/openid-types.ts'
import { toOpenIdClient, toRedirectUri } from '../../organizations/federation/providers.ts'
import { getOrCreateFormCookie } from '../browser/form-tokens.ts'
import { createPageResponse, type SignInFormError } from '../browser/pages.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from '../browser/submission.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
import { findProviderOfEmail, type OrganizationProvider } from './find-provider.ts'
import { createLoginState, hashLoginCookie, hashLoginState, toOpenIdLogin } from './login-state.ts'
import { insertProviderLogin } from './store.provider-logins.ts'

const noProvider: SignInFormError = {
  text: 'No organization has a sign-in of its own for this address. Enter your password.',
  field: 'email',
}

const providerFails: SignInFormError = {
  text: 'The sign-in of your organization does not answer. Try again in a moment, or ask who manages it.',
  field: null,
}

/** Sign-ins at providers that one IP address may begin. */
const startedLogins = { name: 'provider-sign-ins', max: 60, window_ms: minute_ms }

/** Leads a browser to the provider of an address, or back to the sign-in page if there is none. */
export async function startProviderSignIn(
  context: AuthorizationRequestContext,
  email: string,
): Promise<FormSubmissionResult> {
  const { dependencies, request } = context
  const found = await findProviderOfEmail(dependencies.unscoped, email)
  if (!found) return { signInAgain: { email, status: 400, error: noProvider } }
  const unit = await dependencies.rates.take(startedLogins, request.address)
  if (unit.refused)
    throw new Problem('rate-limited', 'Too many sign-ins began here. Wait a minute.', { retry_after_s: unit.reset_s })
  try {
    return { response: await leadToProvider(context, found, email) }
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    dependencies.log.warn({ err: error, organization: found.organization.id }, 'a provider cannot sign in')
    return { signInAgain: { email, status: 502, error: providerFails } }
  }
}

/**
 * A page whose link leads on, and which follows it by itself. No redirect, because browsers apply the policy for forms to redirects after
 * one, and the page of a form does not know the provider yet.
 */
async function leadToProvider(
  context: AuthorizationRequestContext,
  { organization, provider }: OrganizationProvider,
  email: string,
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization, session_id } = context
  const { unscoped, clock, signer, openid } = dependencies
  const binding = getOrCreateFormCookie(request)
  const state = createLoginState(binding)
  const redirect_uri = toRedirectUri(request.baseUrl, organization.id)
  const login = toOpenIdLogin(signer, { state, cookie: binding, redirect_uri })
  const isAgain = authorization.prompt === 'login' || authorization.max_age_s !== null
  const client = toOpenIdClient(provider, signer)
  const url = await openid.createAuthorizationUrl(client, login, { login_hint: email, isAgain })
  const created_at = clock.now()
  await insertProviderLogin(unscoped, hashLoginState(state), {
    organization_id: organization.id,
    cookie_hash: hashLoginCookie(binding),
    query: authorization.query,
    session_id,
    created_at,
    expires_at: new Date(created_at.getTime() + limits.provider_sign_in_seconds * 1000),
  })
  const text = fill('Continue with {organization}', { organization: organization.name })
  const page: IdentityEndpointPage = {
    title: text,
    paragraphs: [
      fill('{organization} signs in the addresses of this domain at {host}.', {
        organization: organization.name,
        host: new URL(url).host,
      }),
    ],
    link: { url, text },
    form: null,
  }
  return createPageResponse(page, { headers: { ...binding.headers, refresh: `0; url=${url}` } })
}
