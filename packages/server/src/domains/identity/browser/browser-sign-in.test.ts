import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { sql } from '../../../platform/database/sql.ts'
import {
  adminEmail,
  adminPassword,
  baseUrl,
  realmPath,
  rejectedWith,
  startIdentityTestApp,
  type IdentityTestApp,
} from '../../../../test/identity-test-app.ts'
import {
  authorizationParameters,
  callbackUrl,
  consoleClient,
  createPkce,
  exchangeCode,
  readCode,
  TestBrowser,
  type Pkce,
} from '../../../../test/test-browser.ts'
import { hashAccessToken } from '../id-token.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp({ per_address: { failures: 0, window_ms: 60_000 } })
})
after(() => app.close())

const issuer = `${baseUrl}/realms/public`

async function verifyIdToken(token: unknown): Promise<Record<string, unknown>> {
  const certs = await app.server.inject({ method: 'GET', url: `${realmPath}/certs` })
  const keys = createLocalJWKSet(certs.json<JSONWebKeySet>())
  const options = { issuer, audience: consoleClient, currentDate: app.clock.now(), algorithms: ['RS256'] }
  return (await jwtVerify(String(token), keys, options)).payload
}

interface SignedInBrowser {
  readonly browser: TestBrowser
  readonly pkce: Pkce
  readonly tokens: Record<string, unknown>
}

/** Signs a user in with a new browser and exchanges the code. */
async function signInWithBrowser(email = adminEmail, password = adminPassword): Promise<SignedInBrowser> {
  const browser = new TestBrowser(app)
  const pkce = createPkce()
  const redirect = await browser.signIn(authorizationParameters(pkce), email, password)
  const { status, body } = await exchangeCode(app, readCode(redirect), pkce)
  assert.equal(status, 200, JSON.stringify(body))
  return { browser, pkce, tokens: body }
}

const refresh = (refresh_token: unknown, more: Record<string, string> = {}) =>
  app.postForm('token', { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...more })
const me = (tokens: Record<string, unknown>) => app.callOperation('users.me', String(tokens['access_token']))

test('a user signs in and gets a code with state and issuer', async () => {
  const browser = new TestBrowser(app)
  const response = await browser.signIn(
    authorizationParameters(createPkce()),
    ` ${adminEmail.toUpperCase()} `,
    adminPassword,
  )
  assert.equal(response.status, 303)
  const { location } = response
  assert.equal(`${location?.origin}${location?.pathname}`, callbackUrl)
  assert.deepEqual([...location!.searchParams.keys()].toSorted(), ['code', 'iss', 'state'])
  assert.equal(location!.searchParams.get('state'), 'a state')
  assert.equal(location!.searchParams.get('iss'), issuer)
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.headers['access-control-allow-origin'], undefined)
})

test('a code is exchanged for tokens, of which the ID token names client, nonce and sign-in', async () => {
  const { tokens } = await signInWithBrowser()
  assert.equal(tokens['token_type'], 'Bearer')
  assert.equal(tokens['expires_in'], 300)
  assert.equal(tokens['refresh_expires_in'], 1800)
  assert.match(String(tokens['scope']), /^openid /)
  const claims = await verifyIdToken(tokens['id_token'])
  const now_s = app.clock.now().getTime() / 1000
  assert.deepEqual(
    { ...claims, sid: typeof claims['sid'] },
    {
      iss: issuer,
      sub: app.admin.id,
      aud: consoleClient,
      azp: consoleClient,
      sid: 'string',
      nonce: 'a nonce',
      auth_time: now_s,
      iat: now_s,
      exp: now_s + 300,
      amr: ['pwd'],
      acr: '1',
      at_hash: hashAccessToken(String(tokens['access_token'])),
    },
  )
  assert.equal((await me(tokens))['kind'], 'human')
  const introspected = await app.postForm(
    'token/introspect',
    {
      token: String(tokens['access_token']),
    },
    { authorization: `Bearer ${String(tokens['access_token'])}` },
  )
  assert.equal(introspected.body['client_id'], consoleClient)
})

test('an ID token is not an access token', async () => {
  const { tokens } = await signInWithBrowser()
  await assert.rejects(app.callOperation('users.me', String(tokens['id_token'])), rejectedWith('unauthenticated'))
})

test('without the scope openid there is no ID token', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const redirect = await browser.signIn(authorizationParameters(pkce, { scope: undefined }), adminEmail, adminPassword)
  const { body } = await exchangeCode(app, readCode(redirect), pkce)
  assert.equal('id_token' in body, false)
  assert.equal(String(body['scope']).includes('openid'), false)
  assert.equal('id_token' in (await refresh(body['refresh_token'])).body, false)
})

test('a refresh rotates the token and returns an ID token of the same sign-in without nonce', async () => {
  const { tokens } = await signInWithBrowser()
  const first = await verifyIdToken(tokens['id_token'])
  app.clock.advance(60_000)
  const { status, body } = await refresh(tokens['refresh_token'], { client_id: consoleClient })
  assert.equal(status, 200)
  assert.notEqual(body['refresh_token'], tokens['refresh_token'])
  const next = await verifyIdToken(body['id_token'])
  for (const name of ['sub', 'sid', 'auth_time', 'azp']) assert.equal(next[name], first[name], name)
  assert.equal('nonce' in next, false)
  assert.equal((await refresh(tokens['refresh_token'])).body['error'], 'invalid_grant', 'a second use')
  await assert.rejects(me(body), rejectedWith('unauthenticated'))
})

test('a refresh token of one client is refused to another, and stays valid', async () => {
  const { tokens } = await signInWithBrowser()
  const other = await refresh(tokens['refresh_token'], { client_id: 'swath' })
  assert.equal(other.body['error'], 'invalid_grant')
  assert.equal((await refresh(tokens['refresh_token'], { client_id: consoleClient })).status, 200)
})

test('a second use of a code ends the tokens of the first', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const code = readCode(await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword))
  const first = await exchangeCode(app, code, pkce)
  assert.ok(await me(first.body))
  const second = await exchangeCode(app, code, createPkce())
  assert.equal(second.status, 400)
  assert.equal(second.body['error'], 'invalid_grant')
  await assert.rejects(me(first.body), rejectedWith('unauthenticated'))
  assert.equal((await refresh(first.body['refresh_token'])).body['error'], 'invalid_grant')
})

test('of concurrent uses of a code at most one gets tokens, and they are revoked', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const code = readCode(await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword))
  const responses = await Promise.all([1, 2, 3].map(() => exchangeCode(app, code, pkce)))
  const winners = responses.filter(({ status }) => status === 200)
  assert.ok(winners.length <= 1)
  for (const { body } of winners) assert.equal((await refresh(body['refresh_token'])).status, 400)
})

test('a code expires after a minute', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const code = readCode(await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword))
  app.clock.advance(60_000)
  assert.equal((await exchangeCode(app, code, pkce)).body['error'], 'invalid_grant')
})

test('a code is bound to client, redirect URI and verifier, and a wrong one does not use it up', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const code = readCode(await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword))
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ redirect_uri: 'http://localhost:5173/auth/callback' }, 'invalid_grant'],
    [{ redirect_uri: `${callbackUrl}/` }, 'invalid_grant'],
    [{ code_verifier: createPkce().verifier }, 'invalid_grant'],
    [{ code_verifier: pkce.challenge }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_request'],
    [{ code_verifier: 'short' }, 'invalid_request'],
    [{ redirect_uri: '' }, 'invalid_request'],
    [{ code: '' }, 'invalid_request'],
    [{ code: 'swc_unknown' }, 'invalid_grant'],
    [{ code: '\0' }, 'invalid_grant'],
    [{ client_id: '' }, 'invalid_request'],
    [{ client_id: 'swath' }, 'invalid_client'],
    [{ client_id: '__proto__' }, 'invalid_client'],
    [{ client_secret: 'secret' }, 'invalid_client'],
  ]
  for (const [changes, error] of cases) {
    const { status, body } = await exchangeCode(app, code, pkce, changes)
    assert.equal(body['error'], error, JSON.stringify(changes))
    assert.equal(status, error === 'invalid_client' ? 401 : 400)
  }
  assert.equal((await exchangeCode(app, code, pkce)).status, 200)
})

test('codes and cookies are stored only as hashes', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const code = readCode(await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword))
  for (const table of ['sessions', 'authorization_codes', 'refresh_tokens']) {
    const rows = await app.database.unscoped.query<{ row: string }>(sql`
      select to_jsonb(t)::text as row from ${sql.identifier(table, [table])} t`)
    const text = rows.map(({ row }) => row).join('\n')
    for (const secret of [code, browser.cookies.get('swath-session')!])
      assert.equal(text.includes(secret), false, table)
  }
})

test('a signed-in browser gets a code without a page, and its session is renewed each time', async () => {
  const { browser } = await signInWithBrowser()
  for (let count = 0; count < 3; count += 1) {
    app.clock.advance(1_700_000)
    const pkce = createPkce()
    const response = await browser.open(authorizationParameters(pkce, { prompt: 'none' }))
    assert.equal(response.status, 303)
    assert.equal((await exchangeCode(app, readCode(response), pkce)).status, 200)
  }
  app.clock.advance(1_800_000)
  const response = await browser.open(authorizationParameters(createPkce(), { prompt: 'none' }))
  assert.equal(response.location?.searchParams.get('error'), 'login_required')
  assert.equal((await browser.open(authorizationParameters(createPkce()))).status, 200)
})

test('the refreshes of a client keep the session of its browser alive', async () => {
  const { browser, tokens } = await signInWithBrowser()
  app.clock.advance(1_200_000)
  assert.equal((await refresh(tokens['refresh_token'])).status, 200)
  app.clock.advance(1_200_000)
  assert.equal(
    (await browser.open(authorizationParameters(createPkce(), { prompt: 'none' }))).location?.searchParams.get('error'),
    null,
  )
})

test('a browser session ends after thirty days, with the tokens of its clients', async () => {
  const { browser, tokens } = await signInWithBrowser()
  await app.database.unscoped.query(sql`
    update sessions set authenticated_at = authenticated_at - interval '30 days'
    where user_id = ${app.admin.id} and authenticated_at is not null`)
  const response = await browser.open(authorizationParameters(createPkce(), { prompt: 'none' }))
  assert.equal(response.location?.searchParams.get('error'), 'login_required')
  assert.equal((await refresh(tokens['refresh_token'])).body['error'], 'invalid_grant')
})

test('prompt=login and max_age prompt for the password again and keep the session of the same user', async () => {
  const { browser, tokens } = await signInWithBrowser()
  app.clock.advance(100_000)
  for (const [changes, isAsked] of [
    [{ prompt: 'login' }, true],
    [{ max_age: '99' }, true],
    [{ max_age: '0' }, true],
    [{ max_age: '101' }, false],
  ] as const) {
    const response = await browser.open(authorizationParameters(createPkce(), changes))
    assert.equal(response.status, isAsked ? 200 : 303, JSON.stringify(changes))
    if (isAsked) assert.match(response.body, new RegExp(`value="${adminEmail}"`))
  }
  const silent = await browser.open(authorizationParameters(createPkce(), { max_age: '50', prompt: 'none' }))
  assert.equal(silent.location?.searchParams.get('error'), 'login_required')

  const pkce = createPkce()
  const before = browser.cookies.get('swath-session')
  const again = await browser.signIn(authorizationParameters(pkce, { prompt: 'login' }), adminEmail, adminPassword)
  const { body } = await exchangeCode(app, readCode(again), pkce)
  const claims = await verifyIdToken(body['id_token'])
  assert.equal(claims['auth_time'], app.clock.now().getTime() / 1000)
  assert.notEqual(browser.cookies.get('swath-session'), before, 'the cookie is another one')
  assert.ok(await me(tokens), 'the earlier client is still signed in')
  await browser.request(
    'POST',
    `${realmPath}/logout`,
    new URLSearchParams({ id_token_hint: String(body['id_token']) }).toString(),
  )
  await assert.rejects(me(tokens), rejectedWith('unauthenticated'))
})

test('a double click on a page with prompt=login leaves no session behind', async () => {
  const user = await app.createOutsider()
  const { browser } = await signInWithBrowser(user.email, user.password)
  const page = await browser.open(authorizationParameters(createPkce(), { prompt: 'login' }))
  const former = browser.cookies.get('swath-session')!
  const credentials = { email: user.email, password: user.password }
  assert.equal((await browser.submit(page, credentials)).status, 303)
  browser.cookies.set('swath-session', former)
  assert.equal((await browser.submit(page, credentials)).status, 303)
  const sessions = await app.database.unscoped.query<{ cookie_hash: string }>(sql`
    select cookie_hash from sessions where user_id = ${user.id} and cookie_hash is not null and revoked_at is null`)
  assert.deepEqual(
    sessions.map(({ cookie_hash }) => cookie_hash),
    [hashSecretSha256(browser.cookies.get('swath-session')!)],
  )
})

test('id_token_hint names the user who is expected', async () => {
  const user = await app.createOutsider()
  const [admin, other] = [await signInWithBrowser(), await signInWithBrowser(user.email, user.password)]
  const open = (browser: TestBrowser, changes: Record<string, string>) =>
    browser.open(authorizationParameters(createPkce(), changes))
  const hint = String(admin.tokens['id_token'])
  const silently = { id_token_hint: hint, prompt: 'none' }
  assert.ok(readCode(await open(admin.browser, silently)))
  const refusals = [
    await open(other.browser, silently),
    await open(admin.browser, { ...silently, id_token_hint: 'not a token' }),
    await open(admin.browser, { ...silently, id_token_hint: String(admin.tokens['access_token']) }),
  ]
  for (const { location } of refusals) assert.equal(location?.searchParams.get('error'), 'login_required')

  const page = await open(other.browser, { id_token_hint: hint })
  assert.equal(page.status, 200, 'the expected user may sign in')
  const stranger = await other.browser.submit(page, { email: user.email, password: user.password })
  assert.equal(stranger.location?.searchParams.get('error'), 'login_required')
  assert.ok(readCode(await other.browser.submit(page, { email: adminEmail, password: adminPassword })))
})

test('another user who signs in with the same browser ends the session of the first', async () => {
  const { browser, tokens } = await signInWithBrowser()
  const other = await app.createOutsider()
  const pkce = createPkce()
  const redirect = await browser.signIn(authorizationParameters(pkce, { prompt: 'login' }), other.email, other.password)
  const { body } = await exchangeCode(app, readCode(redirect), pkce)
  assert.equal((await verifyIdToken(body['id_token']))['sub'], other.id)
  await assert.rejects(me(tokens), rejectedWith('unauthenticated'))
})

test('an authorization request by POST gets the page of the request', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await browser.request('POST', `${realmPath}/auth`, authorizationParameters(pkce).toString())
  assert.equal(page.status, 200)
  const redirect = await browser.submit(page, { email: adminEmail, password: adminPassword })
  assert.equal((await exchangeCode(app, readCode(redirect), pkce)).status, 200)
})

test('a redirect URI with a query keeps it', async () => {
  const redirect_uri = 'https://dev.example/cb?x=1'
  const response = await new TestBrowser(app).signIn(
    authorizationParameters(createPkce(), { redirect_uri }),
    adminEmail,
    adminPassword,
  )
  assert.equal(response.location?.href.startsWith(`${redirect_uri}&code=`), true)
})

test('users of a suspended organization sign in, disabled users do not', async () => {
  const founder = await app.createFounder()
  await app.database.unscoped.query(sql`
    update organizations set status = 'suspended' where organization_id = ${founder.organization}`)
  const { browser, tokens } = await signInWithBrowser(founder.email, founder.password)
  assert.ok(await app.callOperation('projects.list', String(tokens['access_token']), {}))

  const pkce = createPkce()
  const code = readCode(await browser.open(authorizationParameters(pkce)))
  await app.database.unscoped.query(sql`update users set disabled_at = created_at where id = ${founder.id}`)
  assert.equal((await exchangeCode(app, code, pkce)).body['error'], 'invalid_grant', 'a code that was issued before')
  const silent = await browser.open(authorizationParameters(createPkce(), { prompt: 'none' }))
  assert.equal(silent.location?.searchParams.get('error'), 'login_required')
  const refused = await new TestBrowser(app).signIn(
    authorizationParameters(createPkce()),
    founder.email,
    founder.password,
  )
  const wrong = await new TestBrowser(app).signIn(authorizationParameters(createPkce()), adminEmail, 'wrong')
  assert.equal(refused.status, 400)
  for (const { body } of [refused, wrong]) assert.match(body, /The e-mail or the password is wrong/)
})
