import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { problemOf } from '../../../../test/call-operation.ts'
import {
  claimsOf,
  exchange,
  passkeyOptionsOf,
  setUpApp,
  startAccountTestApp,
  visitConsole,
  type AccountTestApp,
  type SignedIn,
} from '../../../../test/accounts/account-fixtures.ts'
import { createAuthenticatorApp, type TestAuthenticatorApp } from '../../../../test/accounts/authenticator-app.ts'
import { SoftwareAuthenticator } from '../../../../test/accounts/software-authenticator.ts'
import { readForm, TestBrowser } from '../../../../test/test-browser.ts'
import { createTestOrganization, testPassword, type TestUser } from '../../../../test/test-organizations.ts'
import { testPasswordHasher } from '../../../../test/test-crypto.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let fixture: AccountTestApp
before(async () => {
  fixture = await startAccountTestApp()
})
after(() => fixture?.close())

interface Organization {
  readonly organization: string
  readonly owner: TestUser
  readonly app: TestAuthenticatorApp
  readonly session: SignedIn
  addMember(): Promise<TestUser>
}

/** An organization whose owner has a second factor, with the session that has proven it. */
async function createOrganization(): Promise<Organization> {
  const { organization, owner } = await createTestOrganization(fixture.app, 0)
  const session = await fixture.signIn(owner.email)
  const app = await setUpApp(fixture, session.client)
  const addMember = async (): Promise<TestUser> => {
    const email = `${newId()}@example.org`
    const added = await session.client.call<{ member: { user_id: string } }>('organizations.members.add', { email })
    const password_hash = await testPasswordHasher.hash(testPassword)
    await fixture.app.database.unscoped.query(sql`
      update users set password_hash = ${password_hash}, password_temporary = false where email = ${email}`)
    return { client: session.client, user: added.member.user_id, email, password: testPassword }
  }
  return { organization, owner, app, session, addMember }
}

const requireSecondFactor = ({ session }: Organization) =>
  session.client.call<{ security: Record<string, unknown> }>('organizations.security.update', {
    second_factor: 'required',
  })

const passwordGrant = ({ email }: TestUser, fields: Readonly<Record<string, string>> = {}) =>
  fixture.requestToken({ grant_type: 'password', username: email, password: testPassword, ...fields })

test('sessions without a second factor lose the organization when it is required, those with one keep it', async () => {
  const org = await createOrganization()
  const member = await org.addMember()
  const signedIn = await fixture.signIn(member.email)
  assert.equal(await problemOf(signedIn.client.call('projects.list', {})), 'ok')
  assert.equal(
    await problemOf(signedIn.client.call('organizations.security.update', { second_factor: 'required' })),
    'forbidden',
  )
  const { security } = await requireSecondFactor(org)
  assert.deepEqual(security, { second_factor: 'required', members_without_second_factor: 1 })
  assert.equal(await problemOf(signedIn.client.call('projects.list', {})), 'unauthenticated')
  assert.equal(await problemOf(org.session.client.call('projects.list', {})), 'ok')
  const { refresh_token } = signedIn
  const refreshed = await fixture.requestToken({ grant_type: 'refresh_token', refresh_token })
  assert.equal(refreshed.body['error'], 'invalid_grant')
  assert.match(String(refreshed.body['error_description']), /requires a second factor/)
  const signInAgain = await passwordGrant(member)
  assert.match(String(signInAgain.body['error_description']), /requires a second factor. Set one up first/)
  // The refresh token was not used up: once the rule is gone, it is valid.
  await org.session.client.call('organizations.security.update', { second_factor: 'optional' })
  assert.equal((await fixture.requestToken({ grant_type: 'refresh_token', refresh_token })).status, 200)
})

test('nobody requires it without a second factor of their own, nor an API key, nor a member', async () => {
  const { owner } = await createTestOrganization(fixture.app, 0)
  const { client } = await fixture.signIn(owner.email)
  const input = { second_factor: 'required' }
  assert.equal(await problemOf(client.call('organizations.security.update', input)), 'invalid-state')
  const { key } = await client.call<{ key: string }>('api_keys.create', { name: 'k', permissions: ['can_write'] })
  const keyClient = fixture.createClientOf(key)
  assert.equal(await problemOf(keyClient.call('organizations.security.update', input)), 'user-required')
})

test('API keys go on working, since they are no sign-in', async () => {
  const org = await createOrganization()
  const { key } = await org.session.client.call<{ key: string }>('api_keys.create', { name: 'k' })
  await requireSecondFactor(org)
  assert.equal(await problemOf(fixture.createClientOf(key).call('projects.list', {})), 'ok')
})

test('a member sets an app up on the way into the console, and gets recovery codes', async () => {
  const org = await createOrganization()
  const member = await org.addMember()
  await requireSecondFactor(org)
  const visit = visitConsole(fixture)
  const page = await visit.browser.signIn(visit.parameters, member.email, testPassword)
  assert.match(page.body, /<h1>Set up a second factor<\/h1>/)
  assert.match(page.body, /<svg xmlns/)
  const secret = /<code>([A-Z2-7]{32})<\/code>/.exec(page.body)![1]!
  const wrong = await visit.browser.submit(page, { otp: '000000' })
  assert.equal(wrong.status, 400)
  assert.ok(wrong.body.includes(secret), 'the code to scan stays the same')
  const app = createAuthenticatorApp(fixture, secret)
  const codesPage = await visit.browser.submit(wrong, { otp: app.code() })
  assert.match(codesPage.body, /<h1>Keep these recovery codes<\/h1>/)
  const codes = [...codesPage.body.matchAll(/<code>([B-Z-]{24})<\/code>/g)].map(([, code]) => code!)
  assert.equal(codes.length, limits.recovery_codes)
  const next = new URL(/<a class="button" href="([^"]*)"/.exec(codesPage.body)![1]!.replaceAll('&amp;', '&'))
  const back = await visit.browser.request('GET', `${next.pathname}${next.search}`)
  const { status, body } = await exchange(fixture, visit, back)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(claimsOf(body['id_token'])['acr'], '2')
  // The page of before does not replace it.
  const replayed = await visit.browser.submit(page, { otp: app.code() })
  assert.match(replayed.body, /<h1>Second factor<\/h1>/)
  assert.equal((await passwordGrant(member, { otp: codes[0]! })).status, 200)
  const rows = await fixture.app.database.unscoped.query<{ operation: string }>(sql`
    select operation from audit_entries where principal_id = ${member.user} and operation = 'users.totp.confirm'`)
  assert.equal(rows.length, 1)
})

test('a member sets a passkey up instead', async () => {
  const org = await createOrganization()
  const member = await org.addMember()
  await requireSecondFactor(org)
  const visit = visitConsole(fixture)
  const page = await visit.browser.signIn(visit.parameters, member.email, testPassword)
  const authenticator = new SoftwareAuthenticator(fixture.url)
  const credential = JSON.stringify(authenticator.create(passkeyOptionsOf(page)))
  const codesPage = await visit.browser.submit(page, { credential })
  assert.match(codesPage.body, /<h1>Keep these recovery codes<\/h1>/)
  const again = visitConsole(fixture, {}, visit.browser)
  const { body } = await exchange(fixture, again, await again.browser.open(again.parameters))
  assert.deepEqual(claimsOf(body['id_token'])['amr'], ['pwd', 'hwk', 'mfa'])
})

test('a session is not switched to an organization that requires it; the browser asks for it on the way', async () => {
  const org = await createOrganization()
  await requireSecondFactor(org)
  // Somebody with an organization of their own, and an app, who signed in before the app was set up.
  const { owner: guest, organization: home } = await createTestOrganization(fixture.app, 0)
  const visit = visitConsole(fixture)
  const first = await exchange(fixture, visit, await visit.browser.signIn(visit.parameters, guest.email, testPassword))
  const session = await fixture.signIn(guest.email)
  const app = await setUpApp(fixture, session.client)
  await fixture.app.database.unscoped.query(sql`
    insert into user_organizations (user_id, organization_id, joined_at)
    values (${guest.user}, ${org.organization}, ${fixture.clock.now()})`)
  await fixture.app.database.unscoped.query(sql`
    insert into memberships (organization_id, user_id, email, role, created_at, updated_at)
    values (${org.organization}, ${guest.user}, ${guest.email}, 'member', ${fixture.clock.now()}, ${fixture.clock.now()})`)
  const refresh_token = String(first.body['refresh_token'])
  const switching = { grant_type: 'refresh_token', refresh_token, organization_id: org.organization }
  const refused = await fixture.requestToken(switching)
  assert.equal(refused.body['error'], 'invalid_grant')
  assert.match(String(refused.body['error_description']), /requires a second factor/)
  const stays = await fixture.requestToken({ grant_type: 'refresh_token', refresh_token })
  assert.equal(claimsOf(stays.body['access_token'])['organization'], home, 'it goes on for its own organization')
  const silent = visitConsole(fixture, { organization_id: org.organization, prompt: 'none' }, visit.browser)
  const error = (await silent.browser.open(silent.parameters)).location?.searchParams.get('error')
  assert.equal(error, 'login_required')
  const stepUp = visitConsole(fixture, { organization_id: org.organization }, visit.browser)
  const page = await stepUp.browser.open(stepUp.parameters)
  assert.match(page.body, /<h1>Second factor<\/h1>/)
  const { body } = await exchange(fixture, stepUp, await stepUp.browser.submit(page, { otp: app.code() }))
  assert.equal(claimsOf(body['access_token'])['organization'], org.organization)
  // The session that set the app up has proven it, and is switched in place.
  const switched = await fixture.requestToken({ ...switching, refresh_token: session.refresh_token })
  assert.equal(claimsOf(switched.body['access_token'])['organization'], org.organization)
})

test('a browser that signed in long ago asks for the password before a second factor is set up', async () => {
  const org = await createOrganization()
  const member = await org.addMember()
  const visit = visitConsole(fixture)
  await visit.browser.signIn(visit.parameters, member.email, testPassword)
  await requireSecondFactor(org)
  const soon = visitConsole(fixture, {}, visit.browser)
  assert.match((await soon.browser.open(soon.parameters)).body, /<h1>Set up a second factor<\/h1>/)
  fixture.clock.advance((limits.fresh_sign_in_seconds + 1) * 1000)
  const late = visitConsole(fixture, {}, visit.browser)
  assert.match((await late.browser.open(late.parameters)).body, /<h1>Sign in<\/h1>/)
})

test('a device gets tokens of such an organization only from a browser that has proven it', async () => {
  const org = await createOrganization()
  const member = await org.addMember()
  const browser = new TestBrowser({ url: fixture.url })
  const visit = visitConsole(fixture, {}, browser)
  await browser.signIn(visit.parameters, member.email, testPassword)
  const asked = await fetch(`${fixture.url}/realms/public/protocol/openid-connect/auth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'swath' }),
  })
  const codes = (await asked.json()) as { device_code: string; user_code: string }
  const page = await browser.request('GET', `/device?user_code=${codes.user_code}`)
  const decision = new URLSearchParams({ ...readForm(page.body).hidden, decision: 'allow' }).toString()
  assert.equal((await browser.request('POST', '/device', decision)).status, 200)
  await requireSecondFactor(org)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const { body } = await fixture.requestToken({ grant_type, client_id: 'swath', device_code: codes.device_code })
  assert.equal(body['error'], 'invalid_grant')
  assert.match(String(body['error_description']), /requires a second factor/)
  // The page of another code sends the browser to prove it first.
  const next = await browser.request('GET', '/device?user_code=WDJB-MJHT')
  assert.equal(next.status, 303)
  const setup = await browser.request('GET', `${next.location!.pathname}${next.location!.search}`)
  assert.match(setup.body, /<h1>Set up a second factor<\/h1>/)
})
