import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import {
  adminEmail,
  adminPassword,
  baseUrl,
  realmPath,
  startIdentityTestApp,
  type FormResponse,
  type IdentityTestApp,
} from '../../../../test/identity-test-app.ts'
import { readForm, TestBrowser, type BrowserResponse } from '../../../../test/test-browser.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

const client_id = 'swath'
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

interface Codes {
  readonly device_code: string
  readonly user_code: string
}

async function askForCodes(): Promise<Codes> {
  const { status, body } = await app.postForm('auth/device', { client_id })
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Codes
}

const poll = ({ device_code }: Codes): Promise<FormResponse> =>
  app.postForm('token', { grant_type, device_code, client_id })

async function pollError(codes: Codes): Promise<unknown> {
  const { status, body } = await poll(codes)
  assert.equal(status, 400)
  return body['error']
}

/** Opens the page of a code with a browser that signs in on the way. */
async function openSignedIn(browser: TestBrowser, user_code: string): Promise<BrowserResponse> {
  const first = await browser.request('GET', `/device?user_code=${user_code}`)
  assert.equal(first.status, 303)
  const signInPage = await browser.request('GET', first.location!.pathname + first.location!.search)
  const back = await browser.submit(signInPage, { email: adminEmail, password: adminPassword })
  assert.equal(back.status, 303, back.body)
  assert.equal(`${back.location!.origin}${back.location!.pathname}`, `${baseUrl}/device`)
  return browser.request('GET', back.location!.pathname + back.location!.search)
}

const post = (browser: TestBrowser, page: BrowserResponse, values: Readonly<Record<string, string>>) =>
  browser.request('POST', '/device', new URLSearchParams({ ...readForm(page.body).hidden, ...values }).toString())

test('a device gets tokens of the user who allows its code, once', async () => {
  const { status, body, headers } = await app.postForm('auth/device', { client_id })
  const codes = body as unknown as Codes
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(codes.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.deepEqual(
    [body['verification_uri'], body['verification_uri_complete'], body['expires_in'], body['interval']],
    [`${baseUrl}/device`, `${baseUrl}/device?user_code=${codes.user_code}`, 600, 5],
  )
  assert.equal(await pollError(codes), 'authorization_pending')
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, codes.user_code)
  assert.ok(page.body.includes(codes.user_code) && page.body.includes(adminEmail) && page.body.includes('127.0.0.1'))
  const done = await post(browser, page, { decision: 'allow' })
  assert.match(done.body, /The device is signed in/)
  const tokens = await poll(codes)
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
  const me = await app.callOperation('users.me', String(tokens.body['access_token']))
  assert.equal((me['user'] as { id: string }).id, app.admin.id)
  const refreshed = await app.postForm('token', { grant_type: 'refresh_token', refresh_token: String(tokens.body['refresh_token']) }) // prettier-ignore
  assert.equal(refreshed.status, 200)
  assert.equal(await pollError(codes), 'invalid_grant')
  const after = await app.postForm('token', { grant_type: 'refresh_token', refresh_token: String(refreshed.body['refresh_token']) }) // prettier-ignore
  assert.equal(after.body['error'], 'invalid_grant', 'a second use of the code ends the session of the first')
})

test('a code that is denied gives access_denied, and cannot be allowed afterwards', async () => {
  const codes = await askForCodes()
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, codes.user_code)
  assert.match((await post(browser, page, { decision: 'deny' })).body, /was denied/)
  assert.equal((await post(browser, page, { decision: 'allow' })).status, 400)
  assert.equal(await pollError(codes), 'access_denied')
})

test('a device that polls too early has to slow down, by five seconds more each time', async () => {
  const codes = await askForCodes()
  assert.equal(await pollError(codes), 'authorization_pending')
  assert.equal(await pollError(codes), 'slow_down')
  app.clock.advance(6000)
  assert.equal(await pollError(codes), 'slow_down', 'the interval is ten seconds now')
  app.clock.advance(15_000)
  assert.equal(await pollError(codes), 'authorization_pending')
})

test('a code expires after ten minutes, for the device and for its user', async () => {
  const codes = await askForCodes()
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, codes.user_code)
  app.clock.advance(600_000)
  assert.equal((await post(browser, page, { decision: 'allow' })).status, 400)
  assert.equal(await pollError(codes), 'expired_token')
})

test('a code that was allowed gives nothing once the browser that allowed it is signed out', async () => {
  const codes = await askForCodes()
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, codes.user_code)
  assert.match((await post(browser, page, { decision: 'allow' })).body, /The device is signed in/)
  const confirmation = await browser.request('GET', `${realmPath}/logout`)
  assert.match((await browser.submit(confirmation, {}, 'logout')).body, /You are signed out/)
  assert.equal(await pollError(codes), 'invalid_grant')
})

test('only signed-in users see anything of a code, and a code can be entered in any case', async () => {
  const codes = await askForCodes()
  const visitor = new TestBrowser(app)
  const redirect = await visitor.request('GET', '/device')
  assert.equal(redirect.status, 303)
  assert.equal(redirect.location?.pathname, '/realms/public/protocol/openid-connect/auth')
  assert.equal((await visitor.request('POST', '/device', `user_code=${codes.user_code}&decision=allow`)).status, 303)
  const browser = new TestBrowser(app)
  await openSignedIn(browser, codes.user_code)
  const empty = await browser.request('GET', '/device')
  assert.match(empty.body, /Enter the code/)
  const typed = await post(browser, empty, { user_code: codes.user_code.toLowerCase().replace('-', ' ') })
  assert.match(typed.body, /Sign in this device\?/)
  assert.equal((await post(browser, empty, { user_code: 'BBBB-BBBB' })).status, 400)
})

test('a decision without the token of its form decides nothing: another site may have sent it', async () => {
  const codes = await askForCodes()
  const browser = new TestBrowser(app)
  await openSignedIn(browser, codes.user_code)
  const forged = await browser.request('POST', '/device', `user_code=${codes.user_code}&decision=allow`)
  assert.equal(forged.status, 400)
  assert.match(forged.body, /open for too long/)
  app.clock.advance(10_000)
  assert.equal(await pollError(codes), 'authorization_pending')
})

test('the table has hashes only, and requests of other clients and for unknown codes are refused', async () => {
  const codes = await askForCodes()
  const rows = await app.database.unscoped.query<Record<string, unknown>>(sql`select * from device_codes`)
  assert.ok(rows.length > 0)
  const stored = JSON.stringify(rows)
  assert.ok(!stored.includes(codes.device_code) && !stored.includes(codes.user_code))
  assert.equal((await app.postForm('auth/device', { client_id: 'swath-console' })).body['error'], 'invalid_client')
  assert.equal((await app.postForm('auth/device', {})).body['error'], 'invalid_request')
  assert.equal(await pollError({ ...codes, device_code: 'swd_unknown' }), 'invalid_grant')
})

test('discovery names the endpoint and the grant', async () => {
  const response = await app.server.inject('/realms/public/.well-known/openid-configuration')
  const metadata = response.json<Record<string, unknown>>()
  assert.equal(
    metadata['device_authorization_endpoint'],
    `${baseUrl}/realms/public/protocol/openid-connect/auth/device`,
  )
  assert.ok((metadata['grant_types_supported'] as string[]).includes(grant_type))
})

test('requests for codes and wrong codes are limited for each address', async () => {
  const limited = await startIdentityTestApp({ per_address: { failures: 2, window_ms: 60_000 } })
  try {
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) statuses.push((await limited.postForm('auth/device', { client_id })).status)
    assert.deepEqual(statuses, [200, 200, 429])
  } finally {
    await limited.close()
  }
})
