import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import type { MasterSecretSigner } from '../../../platform/crypto/signer.ts'
import { randomText } from '../../../platform/ids.ts'
import type { OpenIdLogin } from '../../../platform/integrations/openid/openid-types.ts'
import { readSignInCookie, type SignInFormCookie } from '../browser/cookies.ts'
import type { BrowserIdentityRequest } from '../browser/browser-sessions.ts'

/** The state of a sign-in, which names the cookie of the browser that it is bound to. */
export const createLoginState = ({ id }: Pick<SignInFormCookie, 'id'>): string => `${id}.${randomText(32)}`

const statePattern = /^([0-9A-Za-z]{1,32})\.([0-9A-Za-z]{32})$/

export const hashLoginState = (state: string): string => hashSecretSha256(`provider-login ${state}`)

/** What is stored of the cookie that a sign-in is bound to. */
export const hashLoginCookie = ({ id, value }: SignInFormCookie): string =>
  hashSecretSha256(`provider-login-cookie ${id} ${value}`)

/** The cookie of the browser that a state names; null for another browser, and for text that is no state. */
export function readLoginCookie(state: string, { cookie, baseUrl }: BrowserIdentityRequest): SignInFormCookie | null {
  const id = statePattern.exec(state)?.[1]
  const value = id === undefined ? null : readSignInCookie(cookie, `form-${id}`, baseUrl)
  return id === undefined || value === null ? null : { id, value }
}

/**
 * The parameters of one sign-in. Nonce and verifier are computed from the cookie of the browser, the state and the master secret, so that
 * the database has nothing with which a response could be redeemed.
 */
export function toOpenIdLogin(
  signer: MasterSecretSigner,
  { state, cookie, redirect_uri }: { state: string; cookie: SignInFormCookie; redirect_uri: string },
): OpenIdLogin {
  const derive = (kind: string): string => signer.sign('provider-login', [kind, cookie.id, cookie.value, state])
  return { redirect_uri, state, nonce: derive('nonce'), code_verifier: derive('verifier') }
}
