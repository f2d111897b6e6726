import type { ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import {
  createPageResponse,
  emailField,
  expiredSignInFormError,
  passwordField,
  respondMessagePage,
  type SignInFormError,
} from '../browser/pages.ts'
import { attemptPasswordSignIn } from '../browser/password-attempt.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { findOrganizationProvider } from './find-provider.ts'
import { hashLoginCookie, hashLoginState, readLoginCookie } from './login-state.ts'
import { linkProviderAccount, type ProviderAccount } from './provider-account.ts'
import { toArrival, type ProviderResponse } from './provider-arrival.ts'
import { lockProviderLogin, markProviderLoginLinked, type ProviderLoginRow } from './store.provider-logins.ts'

const step = 'provider-link'

/** The values that bind the form to the sign-in and the account. */
const signedParts = (state: string, user: string): readonly string[] => [state, user]

/** A sign-in that waits for the password of an account, with what the provider said. */
interface WaitingLogin extends ProviderLoginRow {
  readonly user_id: string
  readonly claims: ProviderClaims
}

/**
 * The page that asks the owner of an account for its password, once: a provider does not open accounts that are not of its organization
 * alone.
 */
export function showLinkPage(
  { dependencies, request, state, found }: Omit<ProviderResponse, 'login'>,
  { id, email }: UserAuthRow,
  refused: { readonly error: SignInFormError; readonly status?: number } | null = null,
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const { name } = found.organization
  const page: IdentityEndpointPage = {
    title: 'Connect your account',
    paragraphs: [
      fill(
        'The address `{email}` has an account here. Enter its password once, so that you can use it with {organization}.',
        { email, organization: name },
      ),
      fill(
        'From then on the sign-in of {organization} opens it for {organization} alone, and your password for everything else.',
        { organization: name },
      ),
    ],
    form: {
      query: new URLSearchParams({ state }).toString(),
      hidden: { step, form_token: signFormToken(dependencies, step, binding, signedParts(state, id)) },
      fields: [
        emailField(email, true),
        passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password' }),
      ],
      button: 'Connect',
      error: refused?.error ?? null,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: refused ? (refused.status ?? 400) : 200, headers: binding.headers })
}

type FinishSignIn = (
  response: ProviderResponse,
  claims: ProviderClaims,
  result: Exclude<ProviderAccount, { readonly account: unknown }>,
) => Promise<IdentityEndpointResponse>

const wrongPassword: SignInFormError = { text: 'The password is wrong.', field: 'password' }

/** Connects the account whose password was entered, and finishes the sign-in. */
export async function submitLink(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  finish: FinishSignIn,
): Promise<IdentityEndpointResponse> {
  const state = request.query.get('state') ?? ''
  const login = await findWaitingLogin(dependencies, request, state)
  const found = login && (await findOrganizationProvider(dependencies.unscoped, login.organization_id))
  const account = login && (await findUserAuth(dependencies.unscoped, login.user_id))
  if (!found || !account) return respondMessagePage('This sign-in has ended', 'Sign in again.', { status: 400 })
  const response = { dependencies, request, state, login, found }
  if (!isValidFormToken(dependencies, { step }, request, signedParts(state, account.id)))
    return showLinkPage(response, account, { error: expiredSignInFormError })
  const password = request.form.get('password') ?? ''
  const attempt = await attemptPasswordSignIn(dependencies, {
    username: account.email,
    password,
    address: request.address,
  })
  if ('refusal' in attempt)
    return showLinkPage(response, account, { ...attempt.refusal, error: attempt.refusal.error! })
  if (attempt.user?.id !== account.id || attempt.user.password_temporary)
    return showLinkPage(response, account, { error: wrongPassword })
  const result = await connect(response, login.claims)
  if (!result) return respondMessagePage('This sign-in has ended', 'Sign in again.', { status: 400 })
  return finish(response, login.claims, result)
}

/** The sign-in of a state whose account is not connected yet, of this browser; null for any other. */
async function findWaitingLogin(
  { unscoped, clock }: IdentityDependencies,
  request: IdentityEndpointRequest,
  state: string,
): Promise<WaitingLogin | null> {
  const cookie = readLoginCookie(state, request)
  if (!cookie) return null
  const named = request.pathParameters?.['organization']?.toLowerCase()
  const row = await unscoped.transaction((tx) => lockProviderLogin(tx, hashLoginState(state)))
  const isOfBrowser = row !== null && row.cookie_hash === hashLoginCookie(cookie) && row.organization_id === named
  return isOfBrowser && isWaiting(row) && row.expires_at > clock.now() ? row : null
}

const isWaiting = (row: ProviderLoginRow): row is WaitingLogin =>
  row.used_at !== null && row.linked_at === null && row.user_id !== null && row.claims !== null

/** Null if a second submission was first. */
function connect(
  response: ProviderResponse,
  claims: ProviderClaims,
): Promise<Exclude<ProviderAccount, { readonly account: unknown }> | null> {
  const { dependencies, state } = response
  const { unscoped, clock } = dependencies
  return unscoped.transaction(async (tx) => {
    const row = await lockProviderLogin(tx, hashLoginState(state))
    if (!row || !isWaiting(row)) return null
    await markProviderLoginLinked(tx, hashLoginState(state), clock.now())
    const result = await linkProviderAccount(tx, toArrival(response, claims), row.user_id)
    return 'account' in result ? null : result
  })
}
