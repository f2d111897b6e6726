import type { FormBrowser } from './form-browser.ts'
import type { GrantCase } from './grant-case.ts'
import { openPlanSession, type PlanResponse, type PlanSession } from './plan-session.ts'

/** One requirement and whether it is met. */
interface PlanRow {
  readonly source: string
  readonly says: string
  readonly isMet: (session: PlanSession) => Promise<boolean>
}

const decode = (token: unknown, part: 0 | 1): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>

const errorIn = (url: URL): string | null => url.searchParams.get('error')
const isRefused = ({ status, body }: PlanResponse, error: string): boolean => status >= 400 && body['error'] === error
const hasCode = (url: URL): boolean => (url.searchParams.get('code') ?? '') !== ''

/** Refused on a page of the server: nothing is sent to the address that the request names. */
const isRefusedHere = ({ status, headers }: PlanResponse): boolean => status >= 400 && headers.get('location') === null

/** A valid request with another parameter is answered with a code. */
const expectCode = (source: string, says: string, more: Record<string, string | null>): PlanRow => ({
  source,
  says,
  isMet: async ({ visit }) => hasCode(await visit(more)),
}) // prettier-ignore

/** An invalid request is answered at the redirect URI with an error. */
const expectError = (source: string, says: string, more: Record<string, string | null>, errors: readonly string[]): PlanRow => ({
  source,
  says,
  isMet: async ({ visit }) => {
    const url = await visit(more)
    return !hasCode(url) && errors.includes(errorIn(url) ?? '') && url.searchParams.get('state') === 'a state & more'
  },
}) // prettier-ignore

/** A redirect URI that is not the registered one gets nothing. */
const refuseRedirectUri = (says: string, change: (uri: string) => string): PlanRow => ({
  source: 'RFC 9700 4.1.3',
  says,
  isMet: async ({ ask, grants }) => isRefusedHere(await ask({ redirect_uri: change(grants.redirect_uri) })),
})

const core = 'OpenID Connect core'
const oauth = 'RFC 9700'

const requests: readonly PlanRow[] = [
  expectCode(`${core} 3.1.2.1`, 'a request without a nonce', { nonce: null }),
  expectCode(`${core} 3.1.2.1`, 'a parameter that nobody knows', { extra: 'foobar' }),
  expectCode(`${core} 3.1.2.1`, 'display=page', { display: 'page' }),
  expectCode(`${core} 3.1.2.1`, 'display=popup', { display: 'popup' }),
  expectCode(`${core} 3.1.2.1`, 'ui_locales', { ui_locales: 'se' }),
  expectCode(`${core} 5.2`, 'claims_locales', { claims_locales: 'se' }),
  expectCode(`${core} 3.1.2.1`, 'acr_values', { acr_values: '1 2' }),
  expectCode(`${core} 3.1.2.1`, 'login_hint', { login_hint: 'buffy@example.org' }),
  expectCode(`${core} 5.5`, 'claims, which are not supported, are ignored', { claims: '{"userinfo":{"name":{"essential":true}}}' }), // prettier-ignore
  expectCode(`${core} 3.1.2.1`, 'prompt=none with a session', { prompt: 'none' }),
  expectCode(`${core} 3.1.2.1`, 'a max_age that is not over', { max_age: '10000' }),
  expectCode(`${core} 5.4`, 'the scope profile', { scope: 'openid profile' }),
  expectCode(`${core} 5.4`, 'the scope email', { scope: 'openid email' }),
  expectCode(`${core} 5.4`, 'scopes in another order', { scope: 'email openid' }),
  expectCode(`${core} 3.1.2.1`, 'the scopes address and phone, which are ignored', { scope: 'openid address phone' }),
  expectError(`${core} 3.1.2.6`, 'no response_type', { response_type: null }, ['invalid_request', 'unsupported_response_type']),
  expectError(`${core} 3.1.2.6`, 'prompt=none with another value', { prompt: 'none login' }, ['invalid_request']),
  expectError(`${core} 6.1`, 'a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, ['request_not_supported']),
  expectError(`${core} 6.2`, 'a request_uri', { request_uri: 'https://example.org/request' }, ['request_uri_not_supported']),
  expectError(`${oauth} 2.1.2`, 'a token without a code', { response_type: 'token' }, ['unsupported_response_type', 'unauthorized_client']),
  expectError(`${oauth} 2.1.2`, 'a token beside a code', { response_type: 'code token' }, ['unsupported_response_type', 'unauthorized_client']),
  expectError(`${oauth} 2.1.1`, 'no challenge', { code_challenge: null, code_challenge_method: null }, ['invalid_request']),
  expectError(`${oauth} 2.1.1`, 'a plain challenge', { code_challenge_method: 'plain' }, ['invalid_request']),
  refuseRedirectUri('a redirect URI with another path', (uri) => `${uri}/more`),
  refuseRedirectUri('a redirect URI with a query', (uri) => `${uri}?a=b`),
  refuseRedirectUri('a redirect URI with another scheme', (uri) => uri.replace('http:', 'https:')),
  refuseRedirectUri('a redirect URI of another host', () => 'https://attacker.example/callback'),
  refuseRedirectUri('a redirect URI with the host as a user', (uri) => uri.replace('//127.0.0.1', '//127.0.0.1@attacker.example')),
  { source: `${oauth} 4.11`, says: 'an unknown client is not redirected', isMet: async ({ ask }) => isRefusedHere(await ask({ client_id: 'nobody' })) },
  {
    source: `${core} 3.1.2.1`,
    says: 'prompt=none without a session is login_required, at the redirect URI',
    isMet: async ({ ask }) => {
      const location = (await ask({ prompt: 'none' })).headers.get('location')
      return location !== null && errorIn(new URL(location)) === 'login_required'
    },
  },
  {
    source: `${core} 3.1.2.1`,
    says: 'an authorization request may be a POST',
    isMet: async ({ authorizationUrl }) => {
      const { origin, pathname, searchParams } = new URL(authorizationUrl().url)
      const response = await fetch(`${origin}${pathname}`, { method: 'POST', body: searchParams, redirect: 'manual', headers: { accept: 'text/html' } })
      return [200, 302, 303].includes(response.status)
    },
  },
  {
    source: `${core} 3.1.2.1`,
    says: 'prompt=login asks for the password again',
    isMet: async ({ issueCode, redeem, grants }) => {
      const before = decode((await redeem(await issueCode())).body['id_token'], 1)['auth_time']
      await new Promise((resolve) => setTimeout(resolve, 1100))
      const again = await issueCode({ prompt: 'login' }, { email: grants.email, password: grants.password })
      return Number(decode((await redeem(again)).body['id_token'], 1)['auth_time']) > Number(before)
    },
  },
  {
    source: `${core} 3.1.2.1`,
    says: 'a max_age that is over asks for the password again, and auth_time tells it',
    isMet: async ({ issueCode, redeem, grants }) => {
      await new Promise((resolve) => setTimeout(resolve, 2100))
      const again = await issueCode({ max_age: '1' }, { email: grants.email, password: grants.password })
      const { auth_time } = decode((await redeem(again)).body['id_token'], 1)
      return Date.now() / 1000 - Number(auth_time) < 10
    },
  },
  {
    source: `${core} 3.1.2.1`,
    says: 'an id_token_hint with prompt=none is of the same person',
    isMet: async ({ issueCode, redeem, visit }) => {
      const { id_token } = (await redeem(await issueCode())).body
      return hasCode(await visit({ prompt: 'none', id_token_hint: String(id_token) }))
    },
  },
] // prettier-ignore

const tokens: readonly PlanRow[] = [
  {
    source: `${core} 3.1.3.7`,
    says: 'an ID token has iss, sub, aud, exp, iat and the nonce, and a key that is published',
    isMet: async ({ issueCode, redeem, grants, metadata }) => {
      const issued = await issueCode()
      const { body } = await redeem(issued)
      const { iss, aud, sub, exp, iat, nonce } = decode(body['id_token'], 1)
      const { kid, alg } = decode(body['id_token'], 0)
      const { keys } = (await (await fetch(String(metadata['jwks_uri']))).json()) as { keys: { kid: string }[] }
      const isOfRequest = iss === grants.issuer && [aud].flat().includes(grants.client_id) && nonce === issued.nonce
      return isOfRequest && Boolean(sub) && Number(exp) > Number(iat) && alg === 'RS256' && keys.some((key) => key.kid === kid)
    },
  },
  { source: 'RFC 6749 5.1', says: 'the answer with tokens is not stored', isMet: async ({ issueCode, redeem }) => {
    const { headers, body } = await redeem(await issueCode())
    return /no-store/.test(headers.get('cache-control') ?? '') && body['token_type'] === 'Bearer'
  } },
  {
    source: 'RFC 6749 4.1.2',
    says: 'a code works once, and its second use ends the tokens of the first',
    isMet: async ({ issueCode, redeem, userinfo }) => {
      const issued = await issueCode()
      const { body } = await redeem(issued)
      const again = await redeem(issued)
      const { status } = await userinfo({ headers: { authorization: `Bearer ${String(body['access_token'])}` } })
      return isRefused(again, 'invalid_grant') && status === 401
    },
  },
  { source: 'RFC 6749 4.1.3', says: 'a code is for its redirect URI', isMet: async ({ issueCode, redeem, grants }) =>
    isRefused(await redeem(await issueCode(), { redirect_uri: grants.redirect_uri.replace('/callback', '/other') }), 'invalid_grant') },
  { source: `${oauth} 2.1.1`, says: 'a code needs its verifier', isMet: async ({ issueCode, redeem }) => {
    const { status, body } = await redeem(await issueCode(), { code_verifier: null })
    return status === 400 && ['invalid_grant', 'invalid_request'].includes(String(body['error']))
  } },
  { source: `${oauth} 4.5`, says: 'a code is redeemed with its verifier alone', isMet: async ({ issueCode, redeem }) =>
    isRefused(await redeem(await issueCode(), { code_verifier: 'x'.repeat(43) }), 'invalid_grant') },
  { source: `${core} 9`, says: 'the secret of a client may be in the form', isMet: async ({ issueCode, token, grants }) => {
    const { code, verifier } = await issueCode()
    const { client_id, client_secret, redirect_uri } = grants
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, client_id, client_secret }
    return (await token(fields, {})).status === 200
  } },
  { source: 'RFC 6749 5.2', says: 'a wrong secret is 401 with the scheme', isMet: async ({ token, grants }) => {
    const authorization = `Basic ${Buffer.from(`${grants.client_id}:wrong`).toString('base64')}`
    const response = await token({ grant_type: 'client_credentials' }, { authorization })
    return response.status === 401 && isRefused(response, 'invalid_client') && (response.headers.get('www-authenticate') ?? '').startsWith('Basic')
  } },
  { source: 'RFC 6749 5.2', says: 'an unknown grant', isMet: async ({ token }) => isRefused(await token({ grant_type: 'none' }), 'unsupported_grant_type') },
  { source: `${oauth} 2.4`, says: 'a program of others gets nothing for a password', isMet: async ({ token, grants }) =>
    (await token({ grant_type: 'password', username: grants.email, password: grants.password })).status >= 400 },
  {
    source: `${oauth} 4.14`,
    says: 'a refresh token works once, and its second use ends the session',
    isMet: async ({ issueCode, redeem, token }) => {
      const { body } = await redeem(await issueCode({ scope: 'openid offline_access' }))
      const refresh = (refresh_token: unknown) => token({ grant_type: 'refresh_token', refresh_token: String(refresh_token) })
      const next = await refresh(body['refresh_token'])
      const replayed = await refresh(body['refresh_token'])
      return next.status === 200 && isRefused(replayed, 'invalid_grant') && isRefused(await refresh(next.body['refresh_token']), 'invalid_grant')
    },
  },
  { source: `${oauth} 2.3`, says: 'an access token names its audience', isMet: async ({ issueCode, redeem }) =>
    Boolean(decode((await redeem(await issueCode())).body['access_token'], 1)['aud']) },
] // prettier-ignore

const bearerOf = async ({ issueCode, redeem }: PlanSession): Promise<string> =>
  String((await redeem(await issueCode({ scope: 'openid profile email' }))).body['access_token'])

const others: readonly PlanRow[] = [
  {
    source: `${core} 5.3`,
    says: 'userinfo by GET and POST has the subject of the ID token, and the email',
    isMet: async (session) => {
      const { body } = await session.redeem(await session.issueCode({ scope: 'openid email' }))
      const headers = { authorization: `Bearer ${String(body['access_token'])}` }
      const answers = [await session.userinfo({ headers }), await session.userinfo({ method: 'POST', headers })]
      const { sub } = decode(body['id_token'], 1)
      return answers.every((answer) => answer.body['sub'] === sub && answer.body['email'] === session.grants.email)
    },
  },
  {
    source: 'RFC 6750 2.2',
    says: 'userinfo takes a token of a form',
    isMet: async (session) => {
      const body = new URLSearchParams({ access_token: await bearerOf(session) })
      return (await session.userinfo({ method: 'POST', body })).status === 200
    },
  },
  { source: `${oauth} 4.3.2`, says: 'no token is taken from a URL', isMet: async (session) =>
    (await session.userinfo({}, `?access_token=${await bearerOf(session)}`)).status === 401 },
  { source: 'RFC 6750 3', says: 'a wrong token is 401 with invalid_token', isMet: async ({ userinfo }) => {
    const { status, headers } = await userinfo({ headers: { authorization: 'Bearer wrong' } })
    return status === 401 && /error="invalid_token"/.test(headers.get('www-authenticate') ?? '')
  } },
  { source: 'RFC 9207 2', says: 'answers and errors name the issuer', isMet: async ({ visit, grants }) => {
    const urls = [await visit(), await visit({ response_type: 'token' })]
    return urls.every((url) => url.searchParams.get('iss') === grants.issuer)
  } },
  { source: 'RFC 6749 4.1.2', says: 'the state comes back as it was', isMet: async ({ visit }) => (await visit({ state: 'é&=+ %20' })).searchParams.get('state') === 'é&=+ %20' },
  { source: `${oauth} 4.16`, says: 'no other page frames that of the sign-in', isMet: async ({ ask }) => {
    const { headers } = await ask()
    return /frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? '') || headers.get('x-frame-options') === 'DENY'
  } },
  { source: `${oauth} 4.2.4`, says: 'it sends no referrer, and is not stored', isMet: async ({ ask }) => {
    const { headers } = await ask()
    return /no-referrer|same-origin/.test(headers.get('referrer-policy') ?? '') && /no-store/.test(headers.get('cache-control') ?? '')
  } },
  { source: `${oauth} 2.6`, says: 'scripts of other origins do not read the authorization endpoint', isMet: async ({ authorizationUrl }) => {
    const response = await fetch(authorizationUrl().url, { headers: { origin: 'https://attacker.example' }, redirect: 'manual' })
    return response.headers.get('access-control-allow-origin') === null
  } },
  { source: `${oauth} 4.12`, says: 'a redirect is 302 or 303, by which no browser repeats a form', isMet: async ({ authorizationUrl }) => {
    const response = await fetch(`${authorizationUrl({ prompt: 'none' }).url}`, { redirect: 'manual' })
    return [302, 303].includes(response.status)
  } },
  { source: 'OpenID Connect discovery 3', says: 'the metadata has what is required, for its issuer', isMet: async ({ metadata, grants }) => {
    const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported', 'scopes_supported', 'claims_supported']
    return metadata['issuer'] === grants.issuer && required.every((name) => metadata[name] !== undefined)
  } },
  { source: 'RP-initiated logout 3', says: 'the end of a session redirects to no unregistered address', isMet: async ({ issueCode, redeem, metadata }) => {
    const { id_token } = (await redeem(await issueCode())).body
    const query = new URLSearchParams({ id_token_hint: String(id_token), post_logout_redirect_uri: 'https://attacker.example/' })
    const { status, headers } = await fetch(`${String(metadata['end_session_endpoint'])}?${query}`, { redirect: 'manual' })
    return status < 500 && status !== 404 && !(headers.get('location') ?? '').startsWith('https://attacker.example')
  } },
] // prettier-ignore

/**
 * Sends what the plan of a Basic OpenID Provider and RFC 9700 ask about, in words of our own: one row is one requirement. Returns the
 * rows that are not met.
 */
export async function runPlan(
  browser: FormBrowser,
  grants: GrantCase,
): Promise<{ readonly count: number; readonly violations: string[] }> {
  const session = await openPlanSession(grants, browser)
  const rows = [...requests, ...tokens, ...others]
  const violations: string[] = []
  for (const { source, says, isMet } of rows) {
    const outcome = await isMet(session).catch((error: unknown) => String(error).slice(0, 200))
    if (outcome !== true) violations.push(`${source}: ${says}${outcome === false ? '' : ` (${outcome})`}`)
  }
  return { count: rows.length, violations }
}
