import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  rejectedWith,
  startIdentityTestApp,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../../test/identity-test-app.ts'
import { createProgram, credentialsOf } from '../../../../test/oauth/programs.ts'
import { readForm, TestBrowser, type BrowserResponse } from '../../../../test/test-browser.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

async function openSignedIn(browser: TestBrowser, user_code: unknown, person: SignedInUser): Promise<BrowserResponse> {
  const first = await browser.request('GET', `/device?user_code=${String(user_code)}`)
  const signInPage = await browser.request('GET', first.location!.pathname + first.location!.search)
  const back = await browser.submit(signInPage, { email: person.email, password: person.password })
  return browser.request('GET', back.location!.pathname + back.location!.search)
}

const post = (browser: TestBrowser, page: BrowserResponse, values: Readonly<Record<string, string>>) =>
  browser.request('POST', '/device', new URLSearchParams({ ...readForm(page.body).hidden, ...values }).toString())

test('a person in several organizations chooses the one that a device works in', async () => {
  const second = String((await app.callOperation('organizations.create', owner.token, { name: 'Second' }))['id'])
  const { body } = await app.postForm('auth/device', { client_id: 'swath' })
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, body['user_code'], owner)
  assert.match(page.body, /<select id="organization"/)
  assert.equal((await post(browser, page, { decision: 'allow', organization: app.admin.organization })).status, 400)
  assert.equal((await post(browser, page, { decision: 'allow', organization: second })).status, 200)
  const tokens = await app.postForm('token', {
    grant_type,
    client_id: 'swath',
    device_code: String(body['device_code']),
  })
  const me = await app.callOperation('users.me', String(tokens.body['access_token']))
  assert.equal((me['organization'] as { id: string }).id, second)
})

test('a program of others says on the device page what it can do, and what it gets is remembered as a consent', async () => {
  const person = await app.createFounder()
  const program = await createProgram(app, person.token)
  const { status, body } = await app.postForm('auth/device', {
    ...credentialsOf(program),
    scope: 'items:read admin:read',
  })
  assert.equal(status, 200, JSON.stringify(body))
  const browser = new TestBrowser(app)
  const page = await openSignedIn(browser, body['user_code'], person)
  assert.match(page.body, /Allow Agent on this device\?/)
  assert.match(page.body, /<li>see projects, their imagery/)
  await post(browser, page, { decision: 'allow' })
  const poll = { grant_type, device_code: String(body['device_code']) }
  assert.equal((await app.postForm('token', { ...poll, client_id: program.id })).body['error'], 'invalid_client')
  const tokens = await app.postForm('token', { ...poll, ...credentialsOf(program) })
  assert.equal(tokens.body['scope'], 'items:read')
  const token = String(tokens.body['access_token'])
  assert.ok(await app.callOperation('users.me', token))
  const { consents } = (await app.callOperation('users.consents.list', person.token)) as {
    consents: { client_id: string }[]
  }
  assert.deepEqual(
    consents.map(({ client_id }) => client_id),
    [program.id],
  )
  await app.callOperation('users.consents.revoke', person.token, { client_id: program.id })
  await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
})

test('a program of another organization is not for this person, and one without the grant gets no code', async () => {
  const person = await app.createFounder()
  const program = await createProgram(app, person.token)
  const { body } = await app.postForm('auth/device', credentialsOf(program))
  const page = await openSignedIn(new TestBrowser(app), body['user_code'], owner)
  assert.equal(page.status, 403)
  const noGrant = await createProgram(app, person.token, { grants: ['authorization_code'] })
  assert.equal((await app.postForm('auth/device', credentialsOf(noGrant))).body['error'], 'unauthorized_client')
  const wide = await app.postForm('auth/device', { ...credentialsOf(program), scope: 'orders:write' })
  assert.equal(wide.body['error'], 'invalid_scope')
})
