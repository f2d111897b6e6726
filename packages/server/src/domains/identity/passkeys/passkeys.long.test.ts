import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
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
  type ConsoleVisit,
} from '../../../../test/accounts/account-fixtures.ts'
import { SoftwareAuthenticator, type Forgery } from '../../../../test/accounts/software-authenticator.ts'
import type { BrowserResponse } from '../../../../test/test-browser.ts'
import { createTestUser, testPassword, type TestUser } from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'

let fixture: AccountTestApp
before(async () => {
  fixture = await startAccountTestApp()
})
after(() => fixture?.close())

interface Registered {
  readonly passkey: { readonly id: string; readonly name: string; readonly last_used_at: string | null }
  readonly recovery_codes: string[] | null
}

async function register(client: Client, forgery: Forgery = {}): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(fixture.url)
  const { options } = await client.call<{ options: never }>('users.passkeys.register_begin', {})
  const credential = authenticator.create(options, forgery)
  await client.call<Registered>('users.passkeys.register_finish', { credential, name: 'Laptop' })
  return authenticator
}

interface PasskeyUser {
  readonly user: TestUser
  readonly client: Client
  readonly authenticator: SoftwareAuthenticator
}

async function createPasskeyUser(): Promise<PasskeyUser> {
  const user = await createTestUser(fixture.app)
  const { client } = await fixture.signIn(user.email)
  return { user, client, authenticator: await register(client) }
}

/** The page that asks for a passkey, without an e-mail or a password. */
async function openPasskeyPage(visit: ConsoleVisit = visitConsole(fixture)) {
  const page = await visit.browser.submit(await visit.browser.open(visit.parameters), {
    email: '',
    password: '',
    next_page: 'passkey',
  })
  return { visit, page }
}

const submitCredential = (visit: ConsoleVisit, page: BrowserResponse, credential: unknown) =>
  visit.browser.submit(page, { credential: JSON.stringify(credential) })

test('a passkey is registered, told by e-mail, and signs in without a password', async () => {
  const { user, client, authenticator } = await createPasskeyUser()
  await fixture.waitForMails(user.email, /passkey was added/)
  const { visit, page } = await openPasskeyPage()
  assert.equal(page.status, 200, page.body)
  assert.match(page.headers['content-security-policy'] ?? '', /script-src 'self';/)
  const options = passkeyOptionsOf(page)
  assert.deepEqual((options as { allowCredentials?: unknown[] }).allowCredentials ?? [], [])
  const back = await submitCredential(visit, page, authenticator.get(options))
  const { status, body } = await exchange(fixture, visit, back)
  assert.equal(status, 200, JSON.stringify(body))
  const { sub, amr, acr } = claimsOf(body['id_token'])
  assert.deepEqual([sub, amr, acr], [user.user, ['hwk', 'mfa'], '2'])
  const { passkeys } = await client.call<{ passkeys: Registered['passkey'][] }>('users.passkeys.list', {})
  assert.deepEqual(
    passkeys.map(({ name, last_used_at }) => [name, last_used_at]),
    [['Laptop', fixture.clock.now().toISOString()]],
  )
})

test('the script of the pages is served for them alone', async () => {
  const response = await fetch(`${fixture.url}/passkeys.js`)
  assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  assert.ok((await response.text()).length < 2000)
  const visit = visitConsole(fixture)
  const plain = await visit.browser.open(visit.parameters)
  assert.doesNotMatch(plain.headers['content-security-policy'] ?? '', /script-src/)
})

test('a response is accepted once, while its challenge is valid', async () => {
  const { authenticator } = await createPasskeyUser()
  const { visit, page } = await openPasskeyPage()
  const credential = authenticator.get(passkeyOptionsOf(page))
  const answers = await Promise.all([1, 2].map(() => submitCredential(visit, page, credential)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400], 'two uses at once')
  assert.equal((await submitCredential(visit, page, credential)).status, 400)
  const expired = await openPasskeyPage()
  const late = authenticator.get(passkeyOptionsOf(expired.page))
  fixture.clock.advance((limits.passkey_challenge_seconds + 1) * 1000)
  const refused = await submitCredential(expired.visit, expired.page, late)
  assert.equal(refused.status, 400)
  assert.match(refused.body, /no such passkey here/)
})

test('responses for another site, without a verified user, with a smaller counter or another user are refused', async () => {
  const { authenticator } = await createPasskeyUser()
  const other = await createPasskeyUser()
  const forgeries: readonly Forgery[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { isUserVerified: false },
    { userHandle: Buffer.from(other.user.user).toString('base64url') },
    { userHandle: null },
  ]
  for (const forgery of forgeries) {
    const { visit, page } = await openPasskeyPage()
    const answer = await submitCredential(visit, page, authenticator.get(passkeyOptionsOf(page), forgery))
    assert.equal(answer.status, 400, JSON.stringify(forgery))
  }
  const used = await openPasskeyPage()
  assert.equal(
    (await submitCredential(used.visit, used.page, authenticator.get(passkeyOptionsOf(used.page)))).status,
    303,
  )
  const copied = await openPasskeyPage()
  const copy = authenticator.get(passkeyOptionsOf(copied.page), { counter: 1 })
  assert.equal((await submitCredential(copied.visit, copied.page, copy)).status, 400, 'a copy counts from before')
  for (const text of ['', '{', '[]', 'null', '{"id":"x"}', '{"id":"x","response":{"clientDataJSON":"e30"}}']) {
    const { visit, page } = await openPasskeyPage()
    assert.equal((await visit.browser.submit(page, { credential: text })).status, 400, text)
  }
})

test('a passkey is the second factor after the password, for its own user', async () => {
  const { user, authenticator } = await createPasskeyUser()
  const answer = await fixture.requestToken({ grant_type: 'password', username: user.email, password: testPassword })
  assert.deepEqual([answer.status, answer.body['otp_required']], [400, true])
  const visit = visitConsole(fixture)
  const page = await visit.browser.signIn(visit.parameters, user.email, testPassword)
  const options = passkeyOptionsOf(page) as { allowCredentials: { id: string }[] }
  assert.deepEqual(
    options.allowCredentials.map(({ id }) => id),
    [authenticator.credentialId.toString('base64url')],
  )
  const stranger = await createPasskeyUser()
  const wrong = await submitCredential(visit, page, stranger.authenticator.get(options as never))
  assert.equal(wrong.status, 400)
  // The challenge of that page is used; the page has another one.
  const back = await submitCredential(visit, wrong, authenticator.get(passkeyOptionsOf(wrong)))
  const { body } = await exchange(fixture, visit, back)
  assert.deepEqual(claimsOf(body['id_token'])['amr'], ['pwd', 'hwk', 'mfa'])
})

test('a registration is refused with a used or foreign challenge, for another site, and without a verified user', async () => {
  const { client } = await createPasskeyUser()
  const other = await createPasskeyUser()
  const begin = (of: Client) => of.call<{ options: never }>('users.passkeys.register_begin', {})
  const finish = (of: Client, credential: unknown) =>
    problemOf(of.call('users.passkeys.register_finish', { credential, name: 'x' }))
  const relogin = (await fixture.signIn((await createTestUser(fixture.app)).email)).client
  const { options } = await begin(relogin)
  const authenticator = new SoftwareAuthenticator(fixture.url)
  const credential = authenticator.create(options)
  assert.equal(await finish(other.client, credential), 'forbidden', 'the challenge is bound to its user')
  const outcomes = await Promise.all([finish(relogin, credential), finish(relogin, credential)])
  assert.deepEqual(outcomes.toSorted(), ['forbidden', 'ok'])
  for (const forgery of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isUserVerified: false }]) {
    const begun = await begin(client)
    const forged = new SoftwareAuthenticator(fixture.url).create(begun.options, forgery)
    assert.equal(await finish(client, forged), 'forbidden', JSON.stringify(forgery))
  }
  const again = await begin(client)
  assert.equal(await finish(client, authenticator.create(again.options)), 'invalid-state', 'it belongs to somebody')
  assert.equal(await finish(client, {}), 'forbidden')
})

test('passkeys are renamed and removed by their own user only; the last one takes the recovery codes with it', async () => {
  const { user, client } = await createPasskeyUser()
  const stranger = await createPasskeyUser()
  const list = async () =>
    (await client.call<{ passkeys: Registered['passkey'][] }>('users.passkeys.list', {})).passkeys
  const [passkey] = await list()
  const passkey_id = passkey!.id
  assert.equal(
    await problemOf(stranger.client.call('users.passkeys.rename', { passkey_id, name: 'Mine' })),
    'not-found',
  )
  assert.equal(await problemOf(stranger.client.call('users.passkeys.remove', { passkey_id })), 'not-found')
  await client.call('users.passkeys.rename', { passkey_id, name: ' Phone ' })
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['Phone'],
  )
  await client.call('users.passkeys.remove', { passkey_id })
  assert.deepEqual(await list(), [])
  await fixture.waitForMails(user.email, /passkey was removed/)
  const codes = await fixture.app.database.unscoped.query(
    sql`select code_hash from recovery_codes where user_id = ${user.user}`,
  )
  assert.deepEqual(codes, [])
})

test('somebody with an app keeps the recovery codes when a passkey is added', async () => {
  const user = await createTestUser(fixture.app)
  const { client } = await fixture.signIn(user.email)
  const app = await setUpApp(fixture, client)
  const authenticator = new SoftwareAuthenticator(fixture.url)
  const { options } = await client.call<{ options: never }>('users.passkeys.register_begin', {})
  const input = { credential: authenticator.create(options), name: 'Key' }
  const { recovery_codes } = await client.call<Registered>('users.passkeys.register_finish', input)
  assert.equal(recovery_codes, null)
  assert.equal(app.recovery_codes.length, 10)
})

test('a disabled user cannot sign in with a passkey', async () => {
  const { user, authenticator } = await createPasskeyUser()
  await fixture.app.admin.call('admin.users.disable', { user_id: user.user, reason: 'test' })
  const { visit, page } = await openPasskeyPage()
  assert.equal((await submitCredential(visit, page, authenticator.get(passkeyOptionsOf(page)))).status, 400)
})

test('under an IP address the page and the operation say that passkeys need a host name', async () => {
  const url = fixture.url.replace('localhost', '127.0.0.1')
  const visit = visitConsole({ url })
  const { page } = await openPasskeyPage(visit)
  assert.equal(page.status, 400)
  assert.match(page.body, /reached by an IP address/)
  const { token } = await fixture.signIn((await createTestUser(fixture.app)).email)
  const client = createClient({ baseUrl: url, token })
  await assert.rejects(client.call('users.passkeys.register_begin', {}), /Passkeys need a host name/)
})
