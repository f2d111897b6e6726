import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTokenSource } from '@swath/client/tokens.ts'
import { limits } from '@swath/contract/limits.ts'
import { problemOf } from '../../../../test/call-operation.ts'
import {
  claimsOf,
  exchange,
  setUpApp,
  startAccountTestApp,
  visitConsole,
  type AccountTestApp,
} from '../../../../test/accounts/account-fixtures.ts'
import { createAuthenticatorApp, type TestAuthenticatorApp } from '../../../../test/accounts/authenticator-app.ts'
import { moduleLoaderFlags } from '../../../../test/server-processes.ts'
import {
  createTestOrganization,
  createTestUser,
  testPassword,
  type TestUser,
  grantSupportAccess,
} from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'

let fixture: AccountTestApp
before(async () => {
  fixture = await startAccountTestApp()
})
after(() => fixture?.close())

interface Protected {
  readonly user: TestUser
  readonly app: TestAuthenticatorApp
}

async function createProtectedUser(): Promise<Protected> {
  const user = await createTestUser(fixture.app)
  const { client } = await fixture.signIn(user.email)
  return { user, app: await setUpApp(fixture, client) }
}

const signInWith = ({ email }: TestUser, fields: Readonly<Record<string, string>> = {}) =>
  fixture.requestToken({ grant_type: 'password', username: email, password: testPassword, ...fields })

test('the password grant needs a code of the app, and takes each one once', async () => {
  const { user, app } = await createProtectedUser()
  const without = await signInWith(user)
  assert.deepEqual([without.status, without.body['error'], without.body['otp_required']], [400, 'invalid_grant', true])
  assert.match(String(without.body['error_description']), /code/)
  const wrongPassword = await signInWith(user, { password: 'another', otp: app.code() })
  assert.equal(wrongPassword.body['otp_required'], undefined)
  const otp = app.code()
  const [first, second] = await Promise.all([signInWith(user, { otp }), signInWith(user, { otp })])
  assert.deepEqual([first.status, second.status].toSorted(), [200, 400], 'of two uses at once one is accepted')
  assert.equal((await signInWith(user, { otp })).status, 400)
  // A code of an earlier period is not accepted after one of a later period.
  fixture.clock.advance(30_000)
  assert.equal((await signInWith(user, { otp: app.code() })).status, 200)
  assert.equal((await signInWith(user, { otp: app.code(-30) })).status, 400)
  fixture.clock.advance(120_000)
  assert.equal((await signInWith(user, { otp: app.code(-60) })).status, 400, 'expired')
  const { client } = await fixture.signIn(user.email, { otp: app.code() })
  const { sign_in } = await client.call<{ sign_in: Record<string, unknown> }>('users.me', {})
  assert.deepEqual(sign_in, { methods: ['pwd', 'otp', 'mfa'], totp: true, passkeys: 0, recovery_codes: 10 })
})

test('a recovery code replaces the app once, in any spelling, and is told by e-mail', async () => {
  const { user, app } = await createProtectedUser()
  assert.equal(app.recovery_codes.length, limits.recovery_codes)
  const [one, other] = app.recovery_codes as [string, string]
  assert.match(one, /^([B-Z]{4}-){4}[B-Z]{4}$/)
  const typed = one.toLowerCase().replaceAll('-', ' ')
  const answers = await Promise.all([signInWith(user, { otp: typed }), signInWith(user, { otp: one })])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
  assert.equal((await signInWith(user, { otp: other })).status, 200)
  const mails = await fixture.waitForMails(user.email, /recovery code was used/, 2)
  assert.match(mails.map(({ text }) => text).join(), /Recovery codes that are left: \u20688\u2069/)
  const stored = await fixture.app.database.unscoped.query<{ text: string }>(sql`
    select r::text as text from recovery_codes r union all select t::text from user_totp t
    union all select a::text from audit_entries a union all select m::text from account_mails m`)
  for (const secret of [app.secret, ...app.recovery_codes])
    assert.ok(stored.every(({ text }) => !text.includes(secret)))
  const rows = await fixture.app.database.unscoped.query<{ operation: string }>(sql`
    select operation from audit_entries where principal_id = ${user.user} and operation = 'users.recovery_codes.use'`)
  assert.equal(rows.length, 2)
})

test('wrong codes are limited per account, whatever the right one is', async () => {
  const { user, app } = await createProtectedUser()
  let answer = await signInWith(user, { otp: '000000' })
  for (let tries = 1; tries < 11; tries += 1) answer = await signInWith(user, { otp: 'WRONG-CODE' })
  assert.deepEqual([answer.status, answer.body['error']], [429, 'temporarily_unavailable'])
  assert.equal((await signInWith(user, { otp: app.code() })).status, 429)
  // Others are not concerned.
  const { user: neighbour, app: theirs } = await createProtectedUser()
  assert.equal((await signInWith(neighbour, { otp: theirs.code() })).status, 200)
  fixture.clock.advance(5 * 60_000)
  assert.equal((await signInWith(user, { otp: app.code() })).status, 200)
})

test('the browser asks for the code after the password, and the ID token says so', async () => {
  const { user, app } = await createProtectedUser()
  const visit = visitConsole(fixture)
  const page = await visit.browser.signIn(visit.parameters, user.email, testPassword)
  assert.deepEqual([page.status, page.location], [200, null])
  assert.match(page.body, /<h1>Second factor<\/h1>/)
  const wrong = await visit.browser.submit(page, { otp: '123' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body, /is wrong, or was used before/)
  const back = await visit.browser.submit(wrong, { otp: app.code() })
  const { status, body } = await exchange(fixture, visit, back)
  assert.equal(status, 200, JSON.stringify(body))
  const { amr, acr } = claimsOf(body['id_token'])
  assert.deepEqual([amr, acr], [['pwd', 'otp', 'mfa'], '2'])
  // The browser stays signed in with both.
  const again = visitConsole(fixture, {}, visit.browser)
  const { body: tokens } = await exchange(fixture, again, await again.browser.open(again.parameters))
  assert.equal(claimsOf(tokens['id_token'])['acr'], '2')
  const refreshed = await fixture.requestToken({
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
  })
  assert.deepEqual(claimsOf(refreshed.body['id_token'])['amr'], ['pwd', 'otp', 'mfa'])
})

test('the form of the second factor is worth nothing in another browser, and with another password', async () => {
  const { user, app } = await createProtectedUser()
  const visit = visitConsole(fixture)
  const page = await visit.browser.signIn(visit.parameters, user.email, testPassword)
  const thief = visitConsole(fixture)
  await thief.browser.open(thief.parameters)
  const stolen = await thief.browser.submit(page, { otp: app.code() })
  assert.match(stolen.body, /<h1>Sign in<\/h1>/)
  await fixture.app.database.unscoped.query(sql`update users set password_hash = 'x' where id = ${user.user}`)
  const late = await visit.browser.submit(page, { otp: app.code() })
  assert.match(late.body, /<h1>Sign in<\/h1>/)
})

test('whoever knows the password alone cannot change it on the sign-in page', async () => {
  const { user, app } = await createProtectedUser()
  const visit = visitConsole(fixture)
  const first = await visit.browser.open(visit.parameters)
  const page = await visit.browser.submit(first, {
    email: user.email,
    password: testPassword,
    next_page: 'new-password',
  })
  assert.match(page.body, /<h1>Second factor<\/h1>/)
  const choice = await visit.browser.submit(page, { otp: app.code() })
  assert.match(choice.body, /<h1>Choose a new password<\/h1>/)
  const password = 'a password of my own'
  const back = await visit.browser.submit(choice, { new_password: password, new_password_again: password })
  const { body } = await exchange(fixture, visit, back)
  assert.deepEqual(claimsOf(body['id_token'])['amr'], ['pwd', 'otp', 'mfa'])
  await fixture.waitForMails(user.email, /password was changed/)
})

test('an app is set up with the password once the sign-in is old, and only with a code of it', async () => {
  const user = await createTestUser(fixture.app)
  const { client, refresh_token } = await fixture.signIn(user.email)
  assert.equal(await problemOf(client.call('users.totp.confirm', { otp: '123456' })), 'invalid-state')
  fixture.clock.advance((limits.fresh_sign_in_seconds + 1) * 1000)
  const refreshed = await fixture.requestToken({ grant_type: 'refresh_token', refresh_token })
  const later = fixture.createClientOf(String(refreshed.body['access_token']))
  assert.equal(await problemOf(later.call('users.totp.begin', {})), 'forbidden')
  assert.equal(await problemOf(later.call('users.totp.begin', { password: 'wrong' })), 'forbidden')
  const setup = await later.call<{ secret: string; qr_svg: string }>('users.totp.begin', { password: testPassword })
  assert.match(setup.qr_svg, /^<svg /)
  assert.equal(await problemOf(later.call('users.totp.confirm', { otp: '000000' })), 'forbidden')
  assert.equal((await signInWith(user)).status, 200, 'an app that is being set up is none yet')
  const app = createAuthenticatorApp(fixture, setup.secret)
  const otp = app.code()
  const outcomes = await Promise.all([1, 2].map(() => problemOf(later.call('users.totp.confirm', { otp }))))
  assert.deepEqual(outcomes.toSorted(), ['invalid-state', 'ok'], 'of two confirmations at once one is accepted')
  assert.equal((await signInWith(user, { otp })).status, 400, 'the code of the confirmation is used')
  assert.equal(await problemOf(later.call('users.totp.begin', { password: testPassword })), 'forbidden')
  fixture.clock.advance(30_000)
  const confirmation = { password: testPassword, otp: app.code() }
  assert.equal(await problemOf(later.call('users.totp.begin', confirmation)), 'invalid-state')
})

test('codes are renewed and the app is removed with the password and a code; then the password is enough', async () => {
  const { user, app } = await createProtectedUser()
  const { client } = await fixture.signIn(user.email, { otp: app.code() })
  const { recovery_codes } = await client.call<{ recovery_codes: string[] }>('users.recovery_codes.regenerate', {})
  assert.equal((await signInWith(user, { otp: app.recovery_codes[0]! })).status, 400)
  assert.equal((await signInWith(user, { otp: recovery_codes[0]! })).status, 200)
  await client.call('users.totp.remove', {})
  assert.equal(await problemOf(client.call('users.totp.remove', { password: testPassword })), 'invalid-state')
  assert.equal((await signInWith(user)).status, 200)
  await fixture.waitForMails(user.email, /authenticator app was removed/)
  assert.equal(await problemOf(client.call('users.recovery_codes.regenerate', {})), 'invalid-state')
})

test('an operator removes the second factor of somebody who lost it, and all sessions end', async () => {
  const { user, app } = await createProtectedUser()
  const { client } = await fixture.signIn(user.email, { otp: app.code() })
  const reset = () => fixture.app.admin.call('admin.users.reset_second_factor', { user_id: user.user, reason: 'Lost.' })
  await reset()
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal(await problemOf(reset()), 'invalid-state')
  assert.equal((await signInWith(user)).status, 200)
  await fixture.waitForMails(user.email, /second factor was removed/)
  const rows = await fixture.app.database.unscoped.query<{ reason: string; target_id: string }>(sql`
    select reason, target_id from audit_entries
    where operation = 'admin.users.reset_second_factor' and outcome = 'succeeded' and target_id = ${user.user}`)
  assert.deepEqual(rows, [{ reason: 'Lost.', target_id: user.user }])
})

test('API keys, and operators who read as a user, do not reach the account', async () => {
  const org = await createTestOrganization(fixture.app)
  const { key } = await org.owner.client.call<{ key: string }>('api_keys.create', {
    name: 'k',
    permissions: ['can_write'],
  })
  const keyClient = fixture.createClientOf(key)
  for (const id of ['users.totp.begin', 'users.sessions.list', 'users.export', 'users.delete'])
    assert.equal(await problemOf(keyClient.call(id, {})), 'user-required', id)
  await grantSupportAccess(fixture.app.admin, org.owner.client, org.organization)
  const { access_token } = await fixture.app.admin.call<{ access_token: string }>('admin.users.impersonate', {
    organization_id: org.organization,
    user_id: org.owner.user,
    reason: 'A question.',
  })
  const impersonator = fixture.createClientOf(access_token)
  assert.equal(await problemOf(impersonator.call('users.sessions.list', {})), 'user-required')
  assert.equal(await problemOf(impersonator.call('users.passkeys.list', {})), 'user-required')
  assert.equal(await problemOf(impersonator.call('users.export', {})), 'insufficient-scope')
  const narrow = await fixture.signIn(org.owner.email, { scope: 'items:read' })
  assert.equal(await problemOf(narrow.client.call('users.sessions.list', {})), 'insufficient-scope')
})

const repository = join(import.meta.dirname, '../../../../../..')

/** Runs the command line as somebody. */
const runCommandLine = (environment: Readonly<Record<string, string>>): Promise<{ out: string; err: string }> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    const program = [...moduleLoaderFlags(), 'packages/cli/src/main.ts', 'users.me']
    const options = { cwd: repository, env: { PATH, SWATH_ADDRESS: fixture.url, ...environment } }
    execFile(process.execPath, program, options, (_error, out, err) => resolve({ out, err }))
  })

test('the client and the command line send a code when the server asks for one', async () => {
  const { user, app } = await createProtectedUser()
  const { email: username } = user
  const messages: string[] = []
  const askForOtp = async (message: string) => {
    messages.push(message)
    return app.code()
  }
  const token = await createTokenSource(fixture.url, { username, password: testPassword, askForOtp })()
  assert.equal(await problemOf(fixture.createClientOf(token).call('users.me', {})), 'ok')
  assert.match(messages.join(), /^400 invalid_grant: A second factor is needed/)
  const refused = createTokenSource(fixture.url, { username, password: testPassword, askForOtp: async () => null })
  await assert.rejects(refused(), /A second factor is needed/)
  const person = { SWATH_USERNAME: username, SWATH_PASSWORD: testPassword }
  const without = await runCommandLine(person)
  assert.match(without.err, /A second factor is needed.* Set SWATH_OTP to one/)
  fixture.clock.advance(30_000)
  const { out } = await runCommandLine({ ...person, SWATH_OTP: app.code() })
  assert.equal((JSON.parse(out) as { user: { email: string } }).user.email, username)
})
