import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
  consoleClient,
  createPkce,
  exchangeCode,
  readCode,
  TestBrowser,
} from '../../../../test/test-browser.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

async function signIn(): Promise<{ browser: TestBrowser; tokens: Record<string, unknown> }> {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const redirect = await browser.signIn(authorizationParameters(pkce), adminEmail, adminPassword)
  return { browser, tokens: (await exchangeCode(app, readCode(redirect), pkce)).body }
}

/** Another client of the same browser. */
async function exchangeAgain(browser: TestBrowser): Promise<Record<string, unknown>> {
  const pkce = createPkce()
  return (await exchangeCode(app, readCode(await browser.open(authorizationParameters(pkce))), pkce)).body
}

const me = (tokens: Record<string, unknown>) => app.callOperation('users.me', String(tokens['access_token']))
const refresh = (tokens: Record<string, unknown>) =>
  app.postForm('token', { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) })
const logoutUrl = (fields: Record<string, string>): string =>
  `${realmPath}/logout?${new URLSearchParams(fields).toString()}`

const assertSignedOut = async (browser: TestBrowser, ...clients: Record<string, unknown>[]): Promise<void> => {
  const response = await browser.open(authorizationParameters(createPkce(), { prompt: 'none' }))
  assert.equal(response.location?.searchParams.get('error'), 'login_required')
  for (const tokens of clients) {
    await assert.rejects(me(tokens), rejectedWith('unauthenticated'))
    assert.equal((await refresh(tokens)).body['error'], 'invalid_grant')
  }
}

test('an ID token signs the browser out of all its clients and redirects to a registered URL', async () => {
  const { browser, tokens } = await signIn()
  const second = await exchangeAgain(browser)
  assert.ok((await me(tokens)) && (await me(second)))
  const response = await browser.request(
    'GET',
    logoutUrl({ id_token_hint: String(tokens['id_token']), post_logout_redirect_uri: `${baseUrl}/`, state: 'x y' }),
  )
  assert.equal(response.status, 302)
  assert.equal(response.location?.href, `${baseUrl}/?state=x+y`)
  assert.equal(browser.cookies.has('swath-session'), false)
  await assertSignedOut(browser, tokens, second)
})

test('an ID token that expired is still a hint', async () => {
  const { browser, tokens } = await signIn()
  app.clock.advance(1_500_000)
  const response = await browser.request('GET', logoutUrl({ id_token_hint: String(tokens['id_token']) }))
  assert.equal(response.status, 200)
  assert.match(response.body, /You are signed out/)
  await assertSignedOut(browser, tokens)
})

test('without a hint the browser asks before it signs out', async () => {
  const { browser, tokens } = await signIn()
  const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', client_id: consoleClient }
  const hints = ['', 'rubbish', `${String(tokens['id_token'])}x`]
  for (const id_token_hint of hints) {
    const page = await browser.request('GET', logoutUrl({ ...target, id_token_hint }))
    assert.equal(page.status, 200)
    assert.match(page.body, /Sign out\?/)
    assert.ok(await me(tokens))
  }
  const page = await browser.request('GET', logoutUrl(target))
  for (const form_token of ['', 'x', '9999999999999.AAAA']) {
    const refused = await browser.submit(page, { form_token }, 'logout')
    assert.equal(refused.status, 400)
    assert.ok(await me(tokens))
  }
  const stranger = new TestBrowser(app)
  assert.equal((await stranger.submit(page, {}, 'logout')).status, 302)
  assert.ok(await me(tokens), 'a browser without the cookie ends nothing')
  const done = await browser.submit(page, {}, 'logout')
  assert.equal(done.location?.href, 'http://localhost:5173/bye')
  await assertSignedOut(browser, tokens)
})

test('the hint of another browser leaves this one signed in until the user confirms', async () => {
  const [first, second] = [await signIn(), await signIn()]
  const page = await first.browser.request('GET', logoutUrl({ id_token_hint: String(second.tokens['id_token']) }))
  assert.match(page.body, /Sign out\?/)
  assert.ok(await me(first.tokens))
  await assertSignedOut(second.browser, second.tokens)
})

test('a refresh token signs out the browser that it came from; revoking one ends only its client', async () => {
  const { browser, tokens } = await signIn()
  const second = await exchangeAgain(browser)
  assert.equal((await app.postForm('revoke', { token: String(second['refresh_token']) })).status, 200)
  assert.equal((await refresh(second)).body['error'], 'invalid_grant')
  assert.ok(await me(tokens))
  assert.equal((await app.postForm('logout', { refresh_token: String(tokens['refresh_token']) })).status, 200)
  await assertSignedOut(browser, tokens)
})

test('a code that was issued before signing out is refused', async () => {
  const { browser, tokens } = await signIn()
  const pkce = createPkce()
  const code = readCode(await browser.open(authorizationParameters(pkce)))
  await browser.request('GET', logoutUrl({ id_token_hint: String(tokens['id_token']) }))
  assert.equal((await exchangeCode(app, code, pkce)).body['error'], 'invalid_grant')
})

test('signing out never redirects to an unregistered URL', async () => {
  for (const target of [
    'https://evil.example/',
    `${baseUrl}@evil.example/`,
    'http://localhost:5174/',
    'http://user:password@localhost:5173/',
    'javascript:alert(1)',
    '//evil.example',
    'null',
  ]) {
    const response = await new TestBrowser(app).request('GET', logoutUrl({ post_logout_redirect_uri: target }))
    assert.equal(response.status, 200, target)
    assert.equal(response.location, null)
  }
  const { browser, tokens } = await signIn()
  const mismatch = { id_token_hint: String(tokens['id_token']), client_id: 'other' }
  assert.equal((await browser.request('GET', logoutUrl(mismatch))).status, 400)
  assert.ok(await me(tokens))
})
