import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPasswordHasher } from '../../../platform/crypto/passwords.ts'
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
  createPkce,
  exchangeCode,
  readCode,
  readForm,
  TestBrowser,
  type BrowserResponse,
} from '../../../../test/test-browser.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp({ per_address: { failures: 0, window_ms: 60_000 } })
})
after(() => app.close())

const openPage = async (changes: Record<string, string | undefined> = {}) => {
  const browser = new TestBrowser(app)
  return { browser, page: await browser.open(authorizationParameters(createPkce(), changes)) }
}

/** Asserts that nobody was signed in or redirected. */
function assertRefused({ status, location, headers }: BrowserResponse, expectedStatus = 400): void {
  assert.equal(status, expectedStatus)
  assert.equal(location, null)
  assert.equal(String(headers['set-cookie'] ?? '').includes('swath-session'), false)
}

test('the page says that the session has ended if the client knows it, and otherwise does not', async () => {
  const sentence = /Your session has ended\. Sign in again to continue/
  assert.match((await openPage({ session_ended: 'true' })).page.body, sentence)
  assert.doesNotMatch((await openPage()).page.body, sentence)
})

test('the page has labelled fields for a password manager, and no script or external resource', async () => {
  const { page } = await openPage({ login_hint: '"><script>alert(1)</script>' })
  assert.match(String(page.headers['content-type']), /^text\/html/)
  for (const [name, autocomplete] of [
    ['email', 'username'],
    ['password', 'current-password'],
  ]) {
    assert.match(page.body, new RegExp(`<label for="${name}">`))
    assert.match(page.body, new RegExp(`<input id="${name}" name="${name}"[^>]* autocomplete="${autocomplete}"`))
  }
  // The platform permits addresses that browsers refuse in a field of type email.
  assert.match(page.body, /<input id="email" name="email" type="text"[^>]* inputmode="email"/)
  assert.equal(
    /<script|javascript:|\son\w+=|<link|<img|https?:\/\//i.test(page.body.replaceAll(/action="[^"]*"/g, '')),
    false,
  )
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' http:\/\/localhost:8080;/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.equal(page.headers['cache-control'], 'no-store')
})

test('the page may redirect its form only to the client of the request', async () => {
  const policyOf = async (redirect_uri: string) =>
    /form-action ([^;]*)/.exec(String((await openPage({ redirect_uri })).page.headers['content-security-policy']))?.[1]
  assert.equal(await policyOf('http://localhost:5173/auth/callback'), "'self' http://localhost:5173")
  assert.equal(await policyOf('http://127.0.0.1:51004/native'), "'self' http://127.0.0.1:51004")
})

test('scripts of other origins may read neither the page nor its preflight', async () => {
  for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    const response = await app.server.inject({ method, url: `${realmPath}/auth`, headers })
    assert.equal(response.headers['access-control-allow-origin'], undefined, method)
  }
  for (const path of ['token', 'userinfo', '.well-known/openid-configuration', 'certs', 'revoke']) {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' }
    const response = await app.server.inject({ method: 'OPTIONS', url: `${realmPath}/${path}`, headers })
    assert.equal(response.headers['access-control-allow-origin'], '*', path)
  }
})

test('a wrong password shows the form again with the error linked to the field', async () => {
  const { browser, page } = await openPage()
  const again = await browser.submit(page, { email: '<b>"', password: 'not this one' })
  assertRefused(again)
  assert.match(again.body, /<title>Error: Sign in/)
  assert.match(again.body, /id="error" role="alert">The e-mail or the password is wrong\./)
  assert.match(again.body, /name="password"[^>]*aria-invalid="true" aria-describedby="error"/)
  assert.match(again.body, /value="&lt;b&gt;&quot;"/)
  assert.equal(again.body.includes('not this one'), false, 'a password is never repeated')
  assert.equal((await browser.submit(again, { email: adminEmail, password: adminPassword })).status, 303)
})

test('missing fields are named', async () => {
  const { browser, page } = await openPage()
  const noEmail = await browser.submit(page, { email: '', password: adminPassword })
  assertRefused(noEmail)
  assert.match(noEmail.body, /Enter your e-mail address/)
  const noPassword = await browser.submit(page, { email: adminEmail, password: '' })
  assertRefused(noPassword)
  assert.match(noPassword.body, /Enter your password/)
})

test('failures are counted with those of the password grant, per account and address', async () => {
  const user = await app.createOutsider()
  const { browser, page } = await openPage()
  for (let count = 0; count < 5; count += 1) {
    assertRefused(await browser.submit(page, { email: user.email, password: 'wrong' }))
    await app.postForm('token', { grant_type: 'password', username: user.email, password: 'wrong' })
  }
  const limited = await browser.submit(page, { email: user.email, password: user.password })
  assertRefused(limited, 429)
  assert.match(limited.body, /Too many failed attempts. Try again in 6 minutes/)
  assert.equal(limited.headers['retry-after'], '315')
  const elsewhere = new TestBrowser(app, '192.0.2.9')
  assert.equal((await elsewhere.signIn(authorizationParameters(createPkce()), user.email, user.password)).status, 303)
})

test('a form works only in the browser, for the request and within the time that it was made for', async () => {
  const credentials = { email: adminEmail, password: adminPassword }
  const { browser, page } = await openPage()
  const { action, hidden } = readForm(page.body)
  const post = (sender: TestBrowser, query: string, fields: Record<string, string>): Promise<BrowserResponse> =>
    sender.request(
      'POST',
      `${realmPath}/auth${query}`,
      new URLSearchParams({ ...hidden, ...credentials, ...fields }).toString(),
    )

  assertRefused(await post(new TestBrowser(app), action, {}))
  const { browser: otherBrowser } = await openPage()
  assertRefused(await post(otherBrowser, action, {}))
  for (const form_token of ['', 'x', `${hidden['form_token']}A`, '99999999999999.AAAA', '__proto__'])
    assertRefused(await post(browser, action, { form_token }))
  const changed = new URLSearchParams(action.slice(1))
  changed.set('code_challenge', createPkce().challenge)
  assertRefused(await post(browser, `?${changed.toString()}`, {}))
  changed.delete('nonce')
  assertRefused(await post(browser, `?${changed.toString()}`, {}))
  for (const step of ['new-password', 'sign-out', '__proto__', 'constructor', ''])
    assertRefused(await post(browser, action, { step }))

  app.clock.advance(600_000)
  const late = await post(browser, action, {})
  assertRefused(late)
  assert.match(late.body, /open for too long/)
  assert.equal((await browser.submit(late, credentials)).status, 303, 'the page that is shown again works')
})

test('a code or error is only ever sent to a registered redirect URI', async () => {
  const targets = [
    undefined,
    '',
    'https://evil.example/auth/callback',
    `${baseUrl}/auth/callback/`,
    `${baseUrl}/auth/callback?x=1`,
    `${baseUrl}/auth/callback#x`,
    `${baseUrl}/auth/../auth/callback`,
    `${baseUrl}/AUTH/callback`,
    `${baseUrl}@evil.example/auth/callback`,
    `${baseUrl}.evil.example/auth/callback`,
    '//localhost:8080/auth/callback',
    '/auth/callback',
    'javascript:alert(1)//auth/callback',
    'http://localhost:5174/auth/callback',
    'http://127.0.0.1:99999999/native',
    'http://127.0.0.1:65536/native',
    'http://127.0.0.1:99999/native',
    'http://127.0.0.1:80@evil.example/native',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.2:51004/native',
    'https://127.0.0.1:51004/native',
    'http://localhost:51004/native',
    'https://dev.example/cb?x=2',
    'x'.repeat(4000),
  ]
  for (const redirect_uri of targets) {
    const { page } = await openPage({ redirect_uri, response_type: 'token' })
    assertRefused(page)
    assert.match(page.body, /redirect_uri/)
  }
  for (const client_id of [undefined, 'swath', 'SWATH-CONSOLE', '__proto__', 'constructor', 'x\0']) {
    const { page } = await openPage({ client_id })
    assertRefused(page)
    assert.match(page.body, /client_id/)
  }
  for (const redirect_uri of [
    'http://localhost:5173/auth/callback',
    'http://127.0.0.1:51004/native',
    'http://127.0.0.1/native',
  ])
    assert.equal((await openPage({ redirect_uri })).page.status, 200, redirect_uri)
})

test('errors of a registered client are reported to it with state and issuer', async () => {
  const { challenge } = createPkce()
  const cases: readonly (readonly [Record<string, string | undefined>, string])[] = [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge: `${challenge}=` }, 'invalid_request'],
    [{ code_challenge: `${challenge.slice(0, 42)}+` }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'create' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ max_age: '1e3' }, 'invalid_request'],
    [{ nonce: 'a\0b' }, 'invalid_request'],
    [{ nonce: 'x'.repeat(2049) }, 'invalid_request'],
    [{ request: 'a.b.c' }, 'request_not_supported'],
    [{ request_uri: 'https://x.example' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
  ]
  for (const [changes, error] of cases) {
    const { page } = await openPage(changes)
    assert.equal(page.status, 303, JSON.stringify(changes))
    const parameters = page.location!.searchParams
    assert.equal(page.location!.href.startsWith(`${callbackUrl}?`), true)
    assert.equal(parameters.get('error'), error, JSON.stringify(changes))
    assert.equal(parameters.get('state'), 'a state')
    assert.equal(parameters.get('iss'), `${baseUrl}/realms/public`)
    assert.ok(parameters.get('error_description'))
  }
})

test('repeated, empty, unknown and oversized parameters', async () => {
  const parameters = authorizationParameters(createPkce())
  parameters.append('__proto__', 'x')
  parameters.append('constructor', 'x')
  parameters.append('ui_locales', 'de')
  parameters.append('max_age', '')
  assert.equal((await new TestBrowser(app).open(parameters)).status, 200)
  for (const name of ['state', 'nonce', 'scope']) {
    const repeated = authorizationParameters(createPkce())
    repeated.append(name, 'x')
    const response = await new TestBrowser(app).open(repeated)
    assert.equal(response.location?.searchParams.get('error'), 'invalid_request', name)
    assert.equal(response.location.searchParams.get('state'), name === 'state' ? null : 'a state')
  }
  for (const name of ['client_id', 'redirect_uri']) {
    const repeated = authorizationParameters(createPkce())
    repeated.append(name, repeated.get(name)!)
    assertRefused(await new TestBrowser(app).open(repeated))
  }
  const { page } = await openPage({ state: 'x'.repeat(10_000) })
  assert.equal(page.location?.searchParams.get('error'), 'invalid_request')
  assert.equal(page.location.searchParams.has('state'), false)
  const huge = authorizationParameters(createPkce(), { state: 'x'.repeat(17_000) })
  assert.equal((await new TestBrowser(app).request('POST', `${realmPath}/auth`, huge.toString())).status, 413)
})

test('a one-time password leads to a page for a new one, and only then to a code', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  let page = await browser.signIn(authorizationParameters(pkce), member.email, member.password)
  assert.equal(page.status, 200)
  assert.equal(browser.cookies.has('swath-session'), false)
  assert.match(page.body, /Choose a new password/)
  assert.match(page.body, /name="email"[^>]*autocomplete="username"[^>]*readonly/)
  assert.match(page.body, /name="new_password"[^>]*autocomplete="new-password"/)

  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['short', 'short', /at least 8 characters/],
    ['long enough', 'long enough but other', /not equal/],
    [member.email, member.email, /must not be the e-mail/],
    [member.password, member.password, /another password/],
    ['x'.repeat(1100), 'x'.repeat(1100), /at most 1024 bytes/],
    ['', '', /at least 8/],
  ]
  const chosen = 'a password of my own'
  for (const [new_password, new_password_again, message] of cases) {
    page = await browser.submit(page, { new_password, new_password_again })
    assertRefused(page)
    assert.match(page.body, message)
    assert.match(page.body, /aria-invalid="true" aria-describedby="error/)
  }
  const other = await app.addMember(founder.token, 'member')
  const both = { new_password: chosen, new_password_again: chosen }
  for (const user of [other.id, app.admin.id, 'x', '__proto__'])
    assertRefused(await browser.submit(page, { ...both, user }))

  const redirect = await browser.submit(page, both)
  const { status, body } = await exchangeCode(app, readCode(redirect), pkce)
  assert.equal(status, 200)
  assert.equal((await app.callOperation('users.me', String(body['access_token'])))['kind'], 'human')
  await assert.rejects(
    app.callOperation('users.me', member.token),
    rejectedWith('unauthenticated'),
    'an earlier session',
  )
  assert.equal(
    (await app.postForm('token', { grant_type: 'refresh_token', refresh_token: member.refresh_token })).status,
    400,
  )
  assertRefused(await new TestBrowser(app).signIn(authorizationParameters(createPkce()), member.email, member.password))
  const other_password = 'something else again'
  const twice = await browser.submit(page, { new_password: other_password, new_password_again: other_password })
  assertRefused(twice)
  assert.match(twice.body, /has been changed already/)
  assert.equal(
    (await browser.submit(twice, { email: member.email, password: chosen })).status,
    303,
    'the page leads on',
  )
  assert.equal(
    (await new TestBrowser(app).signIn(authorizationParameters(createPkce()), member.email, chosen)).status,
    303,
  )
})

test('the password grant accepts a one-time password, which stays one', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  assert.ok((await app.signIn(member.email, member.password)).access_token)
  const page = await new TestBrowser(app).signIn(authorizationParameters(createPkce()), member.email, member.password)
  assert.match(page.body, /Choose a new password/)
})

test('the page for a new password expires, and ends with the one-time password', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const [first, second] = [new TestBrowser(app), new TestBrowser(app)]
  const pages = await Promise.all(
    [first, second].map((browser) =>
      browser.signIn(authorizationParameters(createPkce()), member.email, member.password),
    ),
  )
  const both = { new_password: 'a password of my own', new_password_again: 'a password of my own' }
  assertRefused(await new TestBrowser(app).submit(pages[0]!, both))
  assert.equal((await first.submit(pages[0]!, both)).status, 303)
  const later = { new_password: 'another password', new_password_again: 'another password' }
  assertRefused(await second.submit(pages[1]!, later))

  const late = await app.addMember(founder.token, 'member')
  const page = await first.signIn(authorizationParameters(createPkce(), { prompt: 'login' }), late.email, late.password)
  app.clock.advance(600_000)
  assertRefused(await first.submit(page, both))
})

test('a double click on the page for a new password leads on, also at the same moment', async () => {
  const founder = await app.createFounder()
  const both = { new_password: 'a password of my own', new_password_again: 'a password of my own' }
  for (const isConcurrent of [false, true]) {
    const member = await app.addMember(founder.token, 'member')
    const browser = new TestBrowser(app)
    const pkce = createPkce()
    const page = await browser.signIn(authorizationParameters(pkce), member.email, member.password)
    const first = browser.submit(page, both)
    if (!isConcurrent) assert.equal((await first).status, 303)
    const second = await browser.submit(page, both)
    assert.equal((await first).status, 303)
    assert.equal(second.status, 303, second.body)
    assert.equal((await exchangeCode(app, readCode(second), pkce)).status, 200)
  }
})

test('a page for a new password that expired is followed by the sign-in page', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const browser = new TestBrowser(app)
  const page = await browser.signIn(authorizationParameters(createPkce()), member.email, member.password)
  app.clock.advance(600_000)
  const both = { new_password: 'a password of my own', new_password_again: 'a password of my own' }
  const late = await browser.submit(page, both)
  assertRefused(late)
  assert.match(late.body, /open for too long/)
  const again = await browser.submit(late, { email: member.email, password: member.password })
  assert.match(again.body, /Choose a new password/)
})

test('a one-time password is replaced at once after the cost of hashes changed', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const formerHash = await createPasswordHasher({ memory: 16, passes: 1, parallelism: 1 }).hash(member.password)
  await app.database.unscoped.query(sql`update users set password_hash = ${formerHash} where id = ${member.id}`)
  const browser = new TestBrowser(app)
  const page = await browser.signIn(authorizationParameters(createPkce()), member.email, member.password)
  const both = { new_password: 'a password of my own', new_password_again: 'a password of my own' }
  const submitted = await browser.submit(page, both)
  assert.equal(submitted.status, 303, submitted.body)
})

test('pages that two tabs open at the same moment both work', async () => {
  const browser = new TestBrowser(app)
  const open = () => browser.open(authorizationParameters(createPkce()))
  const pages = await Promise.all([open(), open()])
  for (const page of pages)
    assert.equal((await browser.submit(page, { email: adminEmail, password: adminPassword })).status, 303)
  assert.equal([...browser.cookies.keys()].filter((name) => name.startsWith('swath-form-')).length, 2)
  await browser.open(authorizationParameters(createPkce(), { prompt: 'login' }))
  assert.equal([...browser.cookies.keys()].filter((name) => name.startsWith('swath-form-')).length, 2, 'used again')
})

test('the file of the first credentials is named until an administrator signs in', async () => {
  const text = /The first credentials are in the file <code>\.data\/first-credentials\.json<\/code>/
  await app.database.unscoped.query(sql`update users set first_sign_in_at = null`)
  const member = await app.createOutsider()
  const { browser, page } = await openPage()
  assert.match(page.body, text)
  assert.equal(page.body.includes(adminPassword), false)
  assert.match((await browser.submit(page, { email: adminEmail, password: 'wrong' })).body, text)
  assert.equal((await browser.submit(page, { email: member.email, password: member.password })).status, 303)
  assert.match((await openPage()).page.body, text, 'a user who is no administrator signed in')
  await app.signIn(adminEmail, adminPassword)
  assert.doesNotMatch((await openPage()).page.body, text)
})
