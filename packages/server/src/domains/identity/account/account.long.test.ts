import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { createClient } from '@swath/client/client.ts'
import type { AccountExport } from '@swath/contract/schemas/people/account-export.ts'
import type { UserSession } from '@swath/contract/schemas/people/account.ts'
import { problemOf } from '../../../../test/call-operation.ts'
import {
  exchange,
  linkOf,
  pathOf,
  setUpApp,
  startAccountTestApp,
  visitConsole,
  type AccountTestApp,
} from '../../../../test/accounts/account-fixtures.ts'
import { readForm, TestBrowser, type BrowserResponse } from '../../../../test/test-browser.ts'
import { createTestOrganization, createTestUser, testPassword } from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let fixture: AccountTestApp
before(async () => {
  fixture = await startAccountTestApp()
})
after(() => fixture?.close())

const resetPath = '/realms/public/login-actions/reset-password'

/** Posts the form of a page to its own URL. */
const post = (
  browser: TestBrowser,
  path: string,
  page: BrowserResponse,
  values: Readonly<Record<string, string>> = {},
) => {
  const { action, hidden } = readForm(page.body)
  const payload = new URLSearchParams({ ...hidden, ...values }).toString()
  return browser.request('POST', `${path.split('?')[0]}${action}`, payload)
}

async function askForLink(email: string, browser = new TestBrowser({ url: fixture.url })): Promise<BrowserResponse> {
  return post(browser, resetPath, await browser.request('GET', resetPath), { email })
}

const chosen = { new_password: 'a new password of mine', new_password_again: 'a new password of mine' }

const statusOfSignIn = async (username: string, password: string): Promise<number> =>
  (await fixture.requestToken({ grant_type: 'password', username, password })).status

test('a link in an e-mail replaces a forgotten password once, and ends all sessions', async () => {
  const user = await createTestUser(fixture.app)
  const { client } = await fixture.signIn(user.email)
  const answer = await askForLink(user.email.toUpperCase())
  // The e-mail goes to the address of the account, not to the one that was typed.
  assert.equal(answer.status, 200)
  const [mail] = await fixture.waitForMails(user.email, /Choose a new password/)
  const path = pathOf(linkOf(mail!))
  const browser = new TestBrowser({ url: fixture.url })
  const page = await browser.request('GET', path)
  assert.equal(page.status, 200, page.body)
  const refused = await post(browser, path, page, { new_password: 'short', new_password_again: 'short' })
  assert.equal(refused.status, 400)
  const thief = new TestBrowser({ url: fixture.url })
  assert.equal((await post(thief, path, page, chosen)).status, 400, 'the form is bound to its browser')
  const answers = await Promise.all([1, 2].map(() => post(browser, path, page, chosen)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404], 'two uses at once')
  assert.equal((await browser.request('GET', path)).status, 404)
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.deepEqual(
    [await statusOfSignIn(user.email, testPassword), await statusOfSignIn(user.email, chosen.new_password)],
    [400, 200],
  )
  await fixture.waitForMails(user.email, /password was changed/)
  const rows = await fixture.app.database.unscoped.query<{ text: string }>(sql`
    select m::text as text from account_mails m where user_id = ${user.user}
    union all select a::text from audit_entries a where principal_id = ${user.user}`)
  assert.ok(rows.some(({ text }) => text.includes('users.password.reset')))
  assert.ok(rows.every(({ text }) => !text.includes(linkOf(mail!).searchParams.get('token')!)))
})

test('known and unknown addresses are answered alike, and neither gets many e-mails', async () => {
  const user = await createTestUser(fixture.app)
  const disabled = await createTestUser(fixture.app)
  await fixture.app.admin.call('admin.users.disable', { user_id: disabled.user, reason: 'test' })
  const unknown = `${newId()}@example.org`
  const bodies = []
  for (const email of [user.email, unknown, disabled.email]) bodies.push((await askForLink(email)).body)
  assert.equal(new Set(bodies).size, 1)
  for (let count = 0; count < 5; count += 1) assert.equal((await askForLink(user.email)).body, bodies[0])
  await fixture.waitForMails(user.email, /Choose a new password/, 3)
  assert.equal((await fixture.listMails(user.email)).length, 3)
  for (const email of [unknown, disabled.email]) assert.deepEqual(await fixture.listMails(email), [])
  fixture.clock.advance(3_600_000)
})

test('a link expires, and ends with another change of the password; one address asks a limited number of times', async () => {
  const user = await createTestUser(fixture.app)
  const { client } = await fixture.signIn(user.email)
  await askForLink(user.email)
  const [mail] = await fixture.waitForMails(user.email, /Choose a new password/)
  const browser = new TestBrowser({ url: fixture.url })
  await client.call('users.password.change', { password: testPassword, new_password: 'another password' })
  assert.equal((await browser.request('GET', pathOf(linkOf(mail!)))).status, 404)
  await askForLink(user.email)
  const mails = await fixture.waitForMails(user.email, /Choose a new password/, 2)
  fixture.clock.advance((limits.password_reset_seconds + 1) * 1000)
  for (const { text } of mails) assert.equal((await browser.request('GET', pathOf(linkOf({ text })))).status, 404)
  assert.equal((await browser.request('GET', `${resetPath}?token=swathlink_unknown`)).status, 404)
  let status = 200
  for (let count = 0; count < 21 && status === 200; count += 1)
    status = (await askForLink(`${newId()}@example.org`)).status
  assert.equal(status, 429)
  fixture.clock.advance(3_600_000)
})

test('another password of the second factor is still asked for after a reset', async () => {
  const user = await createTestUser(fixture.app)
  const app = await setUpApp(fixture, (await fixture.signIn(user.email)).client)
  await askForLink(user.email)
  const [mail] = await fixture.waitForMails(user.email, /Choose a new password/)
  const path = pathOf(linkOf(mail!))
  const browser = new TestBrowser({ url: fixture.url })
  assert.equal((await post(browser, path, await browser.request('GET', path), chosen)).status, 200)
  const fields = { grant_type: 'password', username: user.email, password: chosen.new_password }
  assert.equal((await fixture.requestToken(fields)).body['otp_required'], true)
  assert.equal((await fixture.requestToken({ ...fields, otp: app.code() })).status, 200)
})

test('a password is changed with the old one; all sessions end but the one of the call', async () => {
  const user = await createTestUser(fixture.app)
  const [first, second] = [await fixture.signIn(user.email), await fixture.signIn(user.email)]
  const change = (password: string, new_password: string) =>
    problemOf(first.client.call('users.password.change', { password, new_password }))
  assert.equal(await change('wrong', 'another password'), 'forbidden')
  assert.equal(await change(testPassword, 'short'), 'validation')
  assert.equal(await change(testPassword, user.email), 'validation')
  assert.equal(await change(testPassword, testPassword), 'validation')
  const outcomes = await Promise.all([change(testPassword, 'password one'), change(testPassword, 'password two')])
  assert.equal(outcomes.filter((outcome) => outcome === 'ok').length, 1, JSON.stringify(outcomes))
  assert.equal(await problemOf(first.client.call('users.me', {})), 'ok')
  assert.equal(await problemOf(second.client.call('users.me', {})), 'unauthenticated')
  await fixture.waitForMails(user.email, /password was changed/)
})

test('an e-mail address is replaced once the new one confirms it, everywhere', async () => {
  const { owner, organization } = await createTestOrganization(fixture.app, 0)
  const { client } = await fixture.signIn(owner.email)
  const email = `New.${newId()}@example.org`
  await client.call('users.email.change', { email })
  assert.equal(await statusOfSignIn(email, testPassword), 400, 'not before it is confirmed')
  const [confirmation] = await fixture.waitForMails(email, /Confirm your e-mail/)
  const [notice] = await fixture.waitForMails(owner.email, /Another e-mail address/)
  const browser = new TestBrowser({ url: fixture.url })
  const path = pathOf(linkOf(confirmation!))
  const page = await browser.request('GET', path)
  const answers = await Promise.all([1, 2].map(() => post(browser, path, page)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
  assert.deepEqual(
    [await statusOfSignIn(owner.email, testPassword), await statusOfSignIn(email, testPassword)],
    [400, 200],
  )
  const { members } = await client.call<{ members: { email: string }[] }>('organizations.members.list', {})
  assert.deepEqual(
    members.map((member) => member.email),
    [email],
  )
  // The reader of the old address takes it back.
  const undo = pathOf(linkOf(notice!))
  const refused = await post(browser, undo, await browser.request('GET', undo))
  assert.equal(refused.status, 200, refused.body)
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal(await statusOfSignIn(owner.email, testPassword), 200)
  await fixture.waitForMails(owner.email, /Choose a new password/)
  const rows = await fixture.app.database.unscoped.query<{ operation: string }>(sql`
    select operation from audit_entries where principal_id = ${owner.user} and operation like 'users.email.%'
      and organization_id <> ${organization} order by operation`)
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ['users.email.confirm', 'users.email.refuse'],
  )
})

test('who refuses a change of the address is rid of what was added to the account around it', async () => {
  const { owner } = await createTestOrganization(fixture.app, 0)
  const earlier = (await fixture.signIn(owner.email)).client
  // The owner's own app stays: it is older than a day.
  const app = await setUpApp(fixture, earlier)
  fixture.clock.advance(25 * 3_600_000)
  const signIn = { grant_type: 'password', username: owner.email, password: testPassword }
  const { access_token } = (await fixture.requestToken({ ...signIn, otp: app.code() })).body as { access_token: string }
  const client = createClient({ baseUrl: fixture.url, token: access_token })
  const input = { name: 'Another', scopes: ['items:read'], expires_in_days: 30 }
  const { token } = await client.call<{ token: string }>('users.tokens.create', input)
  const byToken = () => createClient({ baseUrl: fixture.url, token })
  await client.call('users.recovery_codes.regenerate', {})
  await client.call('users.email.change', { email: `${newId()}@example.org` })
  const [notice] = await fixture.waitForMails(owner.email, /Another e-mail address/)
  assert.equal(await problemOf(byToken().call('items.search_org', {})), 'ok')
  const browser = new TestBrowser({ url: fixture.url })
  const undo = pathOf(linkOf(notice!))
  assert.equal((await post(browser, undo, await browser.request('GET', undo))).status, 200)
  assert.equal(await problemOf(byToken().call('items.search_org', {})), 'unauthenticated')
  assert.equal((await fixture.requestToken(signIn)).body['otp_required'], true)

  const other = await createTestUser(fixture.app)
  const taken = (await fixture.signIn(other.email)).client
  await setUpApp(fixture, taken)
  await taken.call('users.email.change', { email: `${newId()}@example.org` })
  const [otherNotice] = await fixture.waitForMails(other.email, /Another e-mail address/)
  const otherUndo = pathOf(linkOf(otherNotice!))
  assert.equal((await post(browser, otherUndo, await browser.request('GET', otherUndo))).status, 200)
  assert.equal(await statusOfSignIn(other.email, testPassword), 200, 'without the app of who took the account')
})

test('an address of another account is asked for like any other, and never gets a link', async () => {
  const [user, other] = [await createTestUser(fixture.app), await createTestUser(fixture.app)]
  const { client } = await fixture.signIn(user.email)
  const ask = (email: string) => client.call<{ expires_at: string }>('users.email.change', { email })
  const taken = await ask(other.email)
  const free = await ask(`${newId()}@example.org`)
  assert.equal(taken.expires_at, free.expires_at)
  assert.equal(await problemOf(ask(user.email)), 'invalid-state')
  await fixture.waitForMails(user.email, /Another e-mail address/, 2)
  assert.deepEqual(await fixture.listMails(other.email), [])
  fixture.clock.advance((limits.fresh_sign_in_seconds + 1) * 1000)
  const later = (await fixture.signIn(user.email)).client
  await later.call('users.email.change', { email: `${newId()}@example.org` })
})

test('an address that another account takes meanwhile is not confirmed', async () => {
  const [user, other] = [await createTestUser(fixture.app), await createTestUser(fixture.app)]
  const email = `${newId()}@example.org`
  await (await fixture.signIn(user.email)).client.call('users.email.change', { email })
  const [confirmation] = await fixture.waitForMails(email, /Confirm your e-mail/)
  await fixture.app.database.unscoped.query(sql`
    update users set email = ${email}, email_key = ${email} where id = ${other.user}`)
  const browser = new TestBrowser({ url: fixture.url })
  const path = pathOf(linkOf(confirmation!))
  assert.equal((await post(browser, path, await browser.request('GET', path))).status, 404)
})

test('sessions are listed with their devices, and end at once, one or all others', async () => {
  const user = await createTestUser(fixture.app)
  const visit = visitConsole(fixture)
  const back = await visit.browser.signIn(visit.parameters, user.email, testPassword)
  const { body } = await exchange(fixture, visit, back)
  const console_ = fixture.createClientOf(String(body['access_token']))
  const [first, second] = [await fixture.signIn(user.email), await fixture.signIn(user.email)]
  const list = async () => (await console_.call<{ sessions: UserSession[] }>('users.sessions.list', {})).sessions
  const sessions = await list()
  assert.deepEqual(sessions.map(({ kind, current }) => `${kind} ${current}`).toSorted(), [
    'application true',
    'browser true',
    'password false',
    'password false',
  ])
  const application = sessions.find(({ kind }) => kind === 'application')!
  assert.deepEqual([application.client_id, application.methods], ['swath-console', ['pwd']])
  assert.equal(application.browser_session_id, sessions.find(({ kind }) => kind === 'browser')!.id)
  assert.ok(sessions.every(({ address, user_agent }) => address !== null && user_agent !== null))
  const { sessions: own } = await first.client.call<{ sessions: UserSession[] }>('users.sessions.list', {})
  const firstSession = own.find(({ current }) => current)!
  const stranger = await fixture.signIn((await createTestUser(fixture.app)).email)
  const end = { session_id: firstSession.id }
  assert.equal(await problemOf(stranger.client.call('users.sessions.end', end)), 'not-found')
  await console_.call('users.sessions.end', end)
  assert.equal(await problemOf(console_.call('users.sessions.end', end)), 'not-found')
  assert.equal(await problemOf(first.client.call('users.me', {})), 'unauthenticated')
  assert.equal(await problemOf(second.client.call('users.me', {})), 'ok')
  assert.deepEqual(await console_.call('users.sessions.end', { session_id: null }), { ended_sessions: 1 })
  assert.equal(await problemOf(second.client.call('users.me', {})), 'unauthenticated')
  const refreshed = await fixture.requestToken({ grant_type: 'refresh_token', refresh_token: second.refresh_token })
  assert.equal(refreshed.status, 400)
  // The browser of a session that is ended loses its programs.
  const { client } = await fixture.signIn(user.email)
  const browser = (await list()).find(({ kind }) => kind === 'browser')!
  await client.call('users.sessions.end', { session_id: browser.id })
  assert.equal(await problemOf(console_.call('users.me', {})), 'unauthenticated')
})

test('name, language and time zone are changed, and e-mails are in them', async () => {
  const { owner } = await createTestOrganization(fixture.app, 0)
  const { client } = await fixture.signIn(owner.email)
  const change = { name: ' Ada ', language: 'de', time_zone: 'Asia/Tokyo' }
  const { user } = await client.call<{ user: Record<string, unknown> }>('users.update', change)
  assert.deepEqual([user['name'], user['language'], user['time_zone']], ['Ada', 'de', 'Asia/Tokyo'])
  assert.equal(await problemOf(client.call('users.update', { time_zone: 'Mars/Olympus' })), 'validation')
  assert.equal(await problemOf(client.call('users.update', { language: 'xx' })), 'validation')
  const { members } = await client.call<{ members: { name: string }[] }>('organizations.members.list', {})
  assert.equal(members[0]!.name, 'Ada')
  await client.call('users.password.change', { password: testPassword, new_password: 'ein anderes Passwort' })
  const [mail] = await fixture.waitForMails(owner.email, /^Ihr Passwort wurde geändert$/)
  const expected = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }).format(
    fixture.clock.now(),
  )
  assert.ok(mail!.text!.includes(expected), mail!.text)
  assert.match(String(mail!.html), /<html lang="de">/)
})

test('everything about a person is exported, without secrets and without others', async () => {
  const org = await createTestOrganization(fixture.app, 0)
  const member = await org.addMember('member')
  await org.owner.client.call('api_keys.create', { name: 'my key', permissions: ['can_read'] })
  const { client } = await fixture.signIn(org.owner.email)
  const token = { name: 'my token', scopes: ['items:read'], expires_in_days: 1 }
  const { token: secret } = await client.call<{ token: string }>('users.tokens.create', token)
  await setUpApp(fixture, client)
  const exported = await client.call<AccountExport>('users.export', {})
  assert.deepEqual([exported.format, exported.version, exported.profile.email], ['swath-account', 1, org.owner.email])
  assert.deepEqual(
    exported.memberships.map(({ organization_id, role, delegations, personal_tokens }) => [
      organization_id,
      role,
      delegations.map(({ name }) => name),
      personal_tokens.map(({ name }) => name),
    ]),
    [[org.organization, 'owner', ['my key'], ['my token']]],
  )
  assert.ok(exported.audit_complete && exported.audit_entries.some(({ operation }) => operation === 'api_keys.create'))
  assert.ok(exported.audit_entries.every(({ principal_id }) => principal_id === org.owner.user))
  const text = JSON.stringify(exported)
  assert.ok(!text.includes(secret))
  assert.doesNotMatch(text, /argon2|sealed|hash":"[^"]*\$|swath_[A-Za-z0-9]{20}/)
  assert.ok(!text.includes(member.email))
})

test('the last owner of an organization cannot delete the account; afterwards the account is gone for good', async () => {
  const org = await createTestOrganization(fixture.app, 0)
  const admin = await org.addMember('admin')
  const { client } = await fixture.signIn(org.owner.email)
  await client.call('organizations.create', { name: 'The second one' })
  const remove = (input: object) => client.call('users.delete', input)
  assert.equal(await problemOf(remove({})), 'forbidden', 'also a fresh sign-in needs the password')
  assert.equal(await problemOf(remove({ password: 'wrong' })), 'forbidden')
  await assert.rejects(remove({ password: testPassword }), /last owner of the organization "(Org|The second one)/)
  await org.owner.client.call('organizations.transfer_ownership', { user_id: admin.user })
  await assert.rejects(remove({ password: testPassword }), /last owner of the organization "The second one"/)
  const { organizations } = await client.call<{ organizations: { id: string; name: string }[] }>(
    'users.organizations.list',
    {},
  )
  const second = organizations.find(({ name }) => name === 'The second one')!
  await fixture.app.database.unscoped.query(sql`
    update organizations set status = 'deleted', deleted_at = created_at where organization_id = ${second.id}`)
  const token = { name: 'Mine', scopes: ['items:read'], expires_in_days: 1 }
  const created = await client.call<{ token: string }>('users.tokens.create', token)
  await remove({ password: testPassword })
  const byToken = createClient({ baseUrl: fixture.app.url, token: created.token }).call('users.me', {})
  assert.equal(await problemOf(byToken), 'unauthenticated')
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal(await statusOfSignIn(org.owner.email, testPassword), 400)
  const [row] = await fixture.app.database.unscoped.query<Record<string, unknown>>(sql`
    select email, name, password_hash, organization_id from users where id = ${org.owner.user}`)
  assert.deepEqual(row, {
    email: `${org.owner.user}@deleted.invalid`,
    name: null,
    password_hash: null,
    organization_id: null,
  })
  const memberships = await fixture.app.database.unscoped.query(
    sql`select role from memberships where user_id = ${org.owner.user}`,
  )
  assert.deepEqual(memberships, [])
  const operator = await fixture.signIn('admin@example.com', { password: 'correct horse battery', scope: 'admin:*' })
  const enable = { user_id: org.owner.user, reason: 'They came back.' }
  assert.equal(await problemOf(operator.client.call('admin.users.enable', enable)), 'invalid-state')
  // The address is free.
  const again = await org.owner.client.call('users.me', {}).catch(() => null)
  assert.equal(again, null)
  const added = await admin.client.call('organizations.members.add', { email: org.owner.email, role: 'member' })
  assert.ok(added)
})

test('the only operator of the platform cannot delete the account', async () => {
  const { client } = await fixture.signIn('admin@example.com', { password: 'correct horse battery' })
  const problem = client.call('users.delete', { password: 'correct horse battery' })
  await assert.rejects(problem, /only operator of the platform/)
})
